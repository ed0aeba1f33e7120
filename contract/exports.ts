/** The calls of the copies that people take of their data; what judges them stands in exports.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { ExportsSchemas } from '#contract/exports.schemas.ts'

export const exports = calls<ExportsSchemas>()({
  json: { methods: ['GET'], path: '/identity/export', access: 'user', scope: null },
  show: { methods: ['GET'], path: '/identity/exports', access: 'user', scope: null },
  ask: {
    methods: ['POST'],
    path: '/identity/exports',
    access: 'user',
    scope: null,
    // What is theirs is theirs, whatever they did.
    openToSuspended: true,
  },
})

/** Where a copy is downloaded: that of a small account is made while it is sent, under the name `now`. */
export const exportUrl = (id: string): string => `/files/exports/${id}`
