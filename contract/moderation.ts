/** The calls of moderation; what judges them stands in moderation.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { ModerationSchemas } from '#contract/moderation.schemas.ts'

export const moderation = calls<ModerationSchemas>()({
  counts: { methods: ['GET'], path: '/admin/counts', access: 'administrator' },
  log: { methods: ['GET'], path: '/admin/log', access: 'administrator' },
  suspend: { methods: ['POST'], path: '/admin/suspend/{id}', access: 'administrator' },
  unsuspend: { methods: ['POST'], path: '/admin/unsuspend/{id}', access: 'administrator' },
})
