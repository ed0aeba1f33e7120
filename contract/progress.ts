/** The calls for how far a person is in lessons; what judges them stands in progress.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { ProgressSchemas } from '#contract/progress.schemas.ts'

export const progress = calls<ProgressSchemas>()({
  report: { methods: ['PUT'], path: '/progress/{lessonId}', access: 'user', scope: 'write' },
  of: { methods: ['GET'], path: '/progress', access: 'user', scope: 'read' },
  continue: { methods: ['GET'], path: '/progress/continue', access: 'user', scope: 'read' },
})
