/** The calls of ratings; what judges them stands in ratings.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { RatingsSchemas } from '#contract/ratings.schemas.ts'

export const ratings = calls<RatingsSchemas>()({
  ofLesson: { methods: ['GET'], path: '/rating/lesson/{id}', access: 'anybody', scope: 'read' },
  ofCourse: { methods: ['GET'], path: '/rating/course/{id}', access: 'anybody', scope: 'read' },
  rateLesson: { methods: ['PUT'], path: '/rating/lesson/{id}', access: 'user', scope: 'write' },
  rateCourse: { methods: ['PUT'], path: '/rating/course/{id}', access: 'user', scope: 'write' },
  unrateLesson: {
    methods: ['DELETE'],
    path: '/rating/lesson/{id}',
    access: 'user',
    scope: 'write',
  },
  unrateCourse: {
    methods: ['DELETE'],
    path: '/rating/course/{id}',
    access: 'user',
    scope: 'write',
  },
  answer: { methods: ['PUT'], path: '/rating/{id}/answer', access: 'user', scope: 'write' },
  unanswer: { methods: ['DELETE'], path: '/rating/{id}/answer', access: 'user', scope: 'write' },
  browse: { methods: ['GET'], path: '/rating/browse', access: 'administrator', scope: 'admin' },
  removeMany: {
    methods: ['POST'],
    path: '/rating/delete',
    access: 'administrator',
    scope: 'admin',
  },
  restoreMany: {
    methods: ['POST'],
    path: '/rating/restore',
    access: 'administrator',
    scope: 'admin',
  },
})
