/** The calls of lessons; what judges them stands in lessons.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { LessonsSchemas } from '#contract/lessons.schemas.ts'

export const lessons = calls<LessonsSchemas>()({
  all: { methods: ['GET'], path: '/lesson/all', access: 'anybody', scope: 'read' },
  browse: { methods: ['GET'], path: '/lesson/browse', access: 'anybody', scope: 'read' },
  popular: { methods: ['GET'], path: '/lesson/popular', access: 'anybody', scope: 'read' },
  newest: { methods: ['GET'], path: '/lesson/newest', access: 'anybody', scope: 'read' },
  bought: { methods: ['GET'], path: '/lesson/bought', access: 'user', scope: 'read' },
  yours: { methods: ['GET'], path: '/lesson/yours', access: 'user', scope: 'read' },
  show: { methods: ['GET'], path: '/lesson/{id}', access: 'anybody', scope: 'read' },
  create: { methods: ['POST'], path: '/lesson/create', access: 'user', scope: 'write', form: true },
  edit: {
    methods: ['PUT', 'PATCH'],
    path: '/lesson/{id}',
    access: 'user',
    scope: 'write',
    form: true,
  },
  checkReward: { methods: ['POST'], path: '/lesson/rewardcheck', access: 'user', scope: 'read' },
  /** What a delete would take back, said before it happens. */
  removal: { methods: ['GET'], path: '/lesson/removal/{id}', access: 'user', scope: 'read' },
  remove: { methods: ['DELETE'], path: '/lesson/{id}', access: 'user', scope: 'write' },
  buy: { methods: ['POST', 'GET'], path: '/lesson/buy/{id}', access: 'user', scope: 'write' },
  also: { methods: ['GET'], path: '/lesson/also/{id}', access: 'anybody', scope: 'read' },
  recommended: { methods: ['GET'], path: '/lesson/recommended', access: 'user', scope: 'read' },
  like: { methods: ['POST', 'GET'], path: '/lesson/like/{id}', access: 'user', scope: 'write' },
})
