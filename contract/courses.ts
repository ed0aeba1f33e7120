/** The calls of courses; what judges them stands in courses.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { CoursesSchemas } from '#contract/courses.schemas.ts'

export const courses = calls<CoursesSchemas>()({
  all: { methods: ['GET'], path: '/course/all', access: 'anybody', scope: 'read' },
  browse: { methods: ['GET'], path: '/course/browse', access: 'anybody', scope: 'read' },
  highest: { methods: ['GET'], path: '/course/highest', access: 'anybody', scope: 'read' },
  bought: { methods: ['GET'], path: '/course/bought', access: 'user', scope: 'read' },
  yours: { methods: ['GET'], path: '/course/yours', access: 'user', scope: 'read' },
  choices: { methods: ['GET'], path: '/course/choices', access: 'user', scope: 'read' },
  show: { methods: ['GET'], path: '/course/{id}', access: 'anybody', scope: 'read' },
  create: { methods: ['POST'], path: '/course/create', access: 'user', scope: 'write', form: true },
  edit: {
    methods: ['PUT', 'PATCH'],
    path: '/course/{id}',
    access: 'user',
    scope: 'write',
    form: true,
  },
  checkReward: { methods: ['POST'], path: '/course/rewardcheck', access: 'user', scope: 'read' },
  /** What a delete would take back, said before it happens. */
  removal: { methods: ['GET'], path: '/course/removal/{id}', access: 'user', scope: 'read' },
  remove: { methods: ['DELETE'], path: '/course/{id}', access: 'user', scope: 'write' },
  buy: { methods: ['POST', 'GET'], path: '/course/buy/{id}', access: 'user', scope: 'write' },
  also: { methods: ['GET'], path: '/course/also/{id}', access: 'anybody', scope: 'read' },
  like: { methods: ['POST', 'GET'], path: '/course/like/{id}', access: 'user', scope: 'write' },
})
