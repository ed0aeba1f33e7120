/** The calls of private notes; what judges them stands in notes.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { NotesSchemas } from '#contract/notes.schemas.ts'

export const notes = calls<NotesSchemas>()({
  all: { methods: ['GET'], path: '/note/all', access: 'user', scope: 'read' },
  ofLesson: { methods: ['GET'], path: '/note/lesson/{id}', access: 'user', scope: 'read' },
  create: { methods: ['POST'], path: '/note/create/{lessonId}', access: 'user', scope: 'write' },
  edit: { methods: ['PUT'], path: '/note/{id}', access: 'user', scope: 'write' },
  remove: { methods: ['DELETE'], path: '/note/{id}', access: 'user', scope: 'write' },
})
