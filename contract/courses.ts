/** The calls of courses; what judges them stands in courses.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { CoursesSchemas } from '#contract/courses.schemas.ts'

export const courses = calls<CoursesSchemas>()({
  all: { methods: ['GET'], path: '/course/all', access: 'anybody' },
  browse: { methods: ['GET'], path: '/course/browse', access: 'anybody' },
  highest: { methods: ['GET'], path: '/course/highest', access: 'anybody' },
  bought: { methods: ['GET'], path: '/course/bought', access: 'user' },
  yours: { methods: ['GET'], path: '/course/yours', access: 'user' },
  choices: { methods: ['GET'], path: '/course/choices', access: 'user' },
  show: { methods: ['GET'], path: '/course/{id}', access: 'anybody' },
  create: { methods: ['POST'], path: '/course/create', access: 'user', form: true },
  edit: { methods: ['PUT', 'PATCH'], path: '/course/{id}', access: 'user', form: true },
  checkReward: { methods: ['POST'], path: '/course/rewardcheck', access: 'user' },
  /** What a delete would take back, said before it happens. */
  removal: { methods: ['GET'], path: '/course/removal/{id}', access: 'user' },
  remove: { methods: ['DELETE'], path: '/course/{id}', access: 'user' },
  buy: { methods: ['POST', 'GET'], path: '/course/buy/{id}', access: 'user' },
  like: { methods: ['POST', 'GET'], path: '/course/like/{id}', access: 'user' },
})
