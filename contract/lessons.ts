/** The calls of lessons; what judges them stands in lessons.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { LessonsSchemas } from '#contract/lessons.schemas.ts'

export const lessons = calls<LessonsSchemas>()({
  all: { methods: ['GET'], path: '/lesson/all', access: 'anybody' },
  browse: { methods: ['GET'], path: '/lesson/browse', access: 'anybody' },
  popular: { methods: ['GET'], path: '/lesson/popular', access: 'anybody' },
  newest: { methods: ['GET'], path: '/lesson/newest', access: 'anybody' },
  bought: { methods: ['GET'], path: '/lesson/bought', access: 'user' },
  yours: { methods: ['GET'], path: '/lesson/yours', access: 'user' },
  show: { methods: ['GET'], path: '/lesson/{id}', access: 'anybody' },
  create: { methods: ['POST'], path: '/lesson/create', access: 'user', form: true },
  edit: { methods: ['PUT', 'PATCH'], path: '/lesson/{id}', access: 'user', form: true },
  checkReward: { methods: ['POST'], path: '/lesson/rewardcheck', access: 'user' },
  /** What a delete would take back, said before it happens. */
  removal: { methods: ['GET'], path: '/lesson/removal/{id}', access: 'user' },
  remove: { methods: ['DELETE'], path: '/lesson/{id}', access: 'user' },
  buy: { methods: ['POST', 'GET'], path: '/lesson/buy/{id}', access: 'user' },
  recommended: { methods: ['GET'], path: '/lesson/recommended', access: 'user' },
  like: { methods: ['POST', 'GET'], path: '/lesson/like/{id}', access: 'user' },
})
