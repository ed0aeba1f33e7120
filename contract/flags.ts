/** The calls of flags; what judges them stands in flags.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { FlagsSchemas } from '#contract/flags.schemas.ts'

export const flags = calls<FlagsSchemas>()({
  list: { methods: ['GET'], path: '/admin/flags', access: 'administrator', scope: 'admin' },
  close: { methods: ['POST'], path: '/admin/flags/{id}', access: 'administrator', scope: 'admin' },
  create: { methods: ['POST'], path: '/flag', access: 'user', scope: 'write' },
})
