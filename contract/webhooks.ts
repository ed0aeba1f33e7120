/** The calls of webhooks; what judges them stands in webhooks.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { WebhookSchemas } from '#contract/webhooks.schemas.ts'

export const webhooks = calls<WebhookSchemas>()({
  list: { methods: ['GET'], path: '/admin/webhooks', access: 'administrator', scope: 'admin' },
  create: { methods: ['POST'], path: '/admin/webhooks', access: 'administrator', scope: 'admin' },
  edit: {
    methods: ['POST'],
    path: '/admin/webhooks/{id}',
    access: 'administrator',
    scope: 'admin',
  },
  renewSecret: {
    methods: ['POST'],
    path: '/admin/webhooks/{id}/secret',
    access: 'administrator',
    scope: 'admin',
  },
  remove: {
    methods: ['DELETE'],
    path: '/admin/webhooks/{id}',
    access: 'administrator',
    scope: 'admin',
  },
  deliveries: {
    methods: ['GET'],
    path: '/admin/webhooks/{id}/deliveries',
    access: 'administrator',
    scope: 'admin',
  },
  resend: {
    methods: ['POST'],
    path: '/admin/webhooks/{id}/deliveries/{delivery}/resend',
    access: 'administrator',
    scope: 'admin',
  },
})

/** What other programs can be told of. Receivers know these words, so they never change. */
export const WEBHOOK_EVENTS = [
  'lesson.published',
  'lesson.sold',
  'course.published',
  'course.sold',
  'comment.created',
  'rating.created',
  'report.created',
  'user.registered',
  'user.suspended',
] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]
