/** The calls of self-checks; what judges them stands in checks.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { ChecksSchemas } from '#contract/checks.schemas.ts'

export const checks = calls<ChecksSchemas>()({
  show: { methods: ['GET'], path: '/check/{lessonId}', access: 'user', scope: 'read' },
  take: { methods: ['POST'], path: '/check/{lessonId}', access: 'user', scope: 'write' },
  figures: { methods: ['GET'], path: '/check/{lessonId}/figures', access: 'user', scope: 'read' },
})
