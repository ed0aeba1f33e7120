/** The calls of moderation; what judges them stands in moderation.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { ModerationSchemas } from '#contract/moderation.schemas.ts'

export const moderation = calls<ModerationSchemas>()({
  counts: { methods: ['GET'], path: '/admin/counts', access: 'administrator', scope: 'admin' },
  log: { methods: ['GET'], path: '/admin/log', access: 'administrator', scope: 'admin' },
  suspend: {
    methods: ['POST'],
    path: '/admin/suspend/{id}',
    access: 'administrator',
    scope: 'admin',
  },
  unsuspend: {
    methods: ['POST'],
    path: '/admin/unsuspend/{id}',
    access: 'administrator',
    scope: 'admin',
  },
  signOut: {
    methods: ['POST'],
    path: '/admin/sign-out/{id}',
    access: 'administrator',
    scope: 'admin',
  },
})
