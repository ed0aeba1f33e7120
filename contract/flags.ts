/** The calls of flags; what judges them stands in flags.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { FlagsSchemas } from '#contract/flags.schemas.ts'

export const flags = calls<FlagsSchemas>()({
  list: { methods: ['GET'], path: '/admin/flags', access: 'administrator' },
  close: { methods: ['POST'], path: '/admin/flags/{id}', access: 'administrator' },
  create: { methods: ['POST'], path: '/flag', access: 'user' },
})
