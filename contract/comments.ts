/** The calls of comments; what judges them stands in comments.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { CommentsSchemas } from '#contract/comments.schemas.ts'

export const comments = calls<CommentsSchemas>()({
  create: { methods: ['POST'], path: '/comment/create/{lessonId}', access: 'user' },
  ofLesson: { methods: ['GET'], path: '/comment/lesson/{id}', access: 'anybody' },
  remove: { methods: ['DELETE'], path: '/comment/delete/{id}', access: 'user' },
  all: { methods: ['GET'], path: '/comment/all', access: 'administrator' },
  browse: { methods: ['GET'], path: '/comment/browse', access: 'administrator' },
  removeMany: { methods: ['POST'], path: '/comment/delete', access: 'administrator' },
  restoreMany: { methods: ['POST'], path: '/comment/restore', access: 'administrator' },
  restore: { methods: ['POST'], path: '/comment/restore/{id}', access: 'administrator' },
  judge: { methods: ['POST'], path: '/comment/judge/{id}', access: 'administrator' },
})
