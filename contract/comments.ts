/** The calls of comments; what judges them stands in comments.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { CommentsSchemas } from '#contract/comments.schemas.ts'

export const comments = calls<CommentsSchemas>()({
  create: { methods: ['POST'], path: '/comment/create/{lessonId}', access: 'user', scope: 'write' },
  edit: { methods: ['PUT'], path: '/comment/edit/{id}', access: 'user', scope: 'write' },
  ofLesson: { methods: ['GET'], path: '/comment/lesson/{id}', access: 'anybody', scope: 'read' },
  changes: { methods: ['GET'], path: '/comment/changes/{id}', access: 'anybody', scope: 'read' },
  remove: { methods: ['DELETE'], path: '/comment/delete/{id}', access: 'user', scope: 'write' },
  all: { methods: ['GET'], path: '/comment/all', access: 'administrator', scope: 'admin' },
  browse: { methods: ['GET'], path: '/comment/browse', access: 'administrator', scope: 'admin' },
  removeMany: {
    methods: ['POST'],
    path: '/comment/delete',
    access: 'administrator',
    scope: 'admin',
  },
  restoreMany: {
    methods: ['POST'],
    path: '/comment/restore',
    access: 'administrator',
    scope: 'admin',
  },
  restore: {
    methods: ['POST'],
    path: '/comment/restore/{id}',
    access: 'administrator',
    scope: 'admin',
  },
  judge: {
    methods: ['POST'],
    path: '/comment/judge/{id}',
    access: 'administrator',
    scope: 'admin',
  },
})
