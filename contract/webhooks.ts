/** Webhook endpoints and their deliveries. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Id, Instant, Nothing, Page, line, Checkbox } from '#contract/fields.ts'
import { WEBHOOK_TEXT, WEBHOOK_URL_LENGTH } from '#contract/limits.ts'

/** Receivers depend on these names, so they must never change. */
export const WEBHOOK_EVENTS = [
  'lesson.published',
  'lesson.sold',
  'lesson.returned',
  'course.published',
  'course.sold',
  'course.returned',
  'comment.created',
  'rating.created',
  'report.created',
  'user.registered',
  'user.suspended',
] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

const EventName = z.enum(WEBHOOK_EVENTS, { error: 'invalidChoice' })

/** Checks the syntax. The server decides which hosts are allowed. */
const WebhookUrl = z
  .string({ error: 'webhookUrlMs' })
  .check(
    z.trim(),
    z.maxLength(WEBHOOK_URL_LENGTH, { error: 'webhookUrlMs' }),
    z.url({ protocol: /^https?$/, error: 'webhookUrlMs' }),
  )

export const WebhookDraft = z.object({
  url: WebhookUrl,
  description: line(WEBHOOK_TEXT, 'webhookTextMs'),
  events: z
    .array(EventName, { error: 'webhookEventsMs' })
    .check(
      z.minLength(1, { error: 'webhookEventsMs' }),
      z.maxLength(WEBHOOK_EVENTS.length, { error: 'webhookEventsMs' }),
    ),
  enabled: Checkbox,
})

export const WebhookEndpoint = z.object({
  id: z.number(),
  url: z.string(),
  description: z.string(),
  events: z.array(EventName),
  enabled: z.boolean(),
  created: Instant,
  /** Time since which every delivery has failed. Null if the last one succeeded or there was none. */
  failingSince: z.nullable(Instant),
  /** When it was disabled automatically after days without a successful delivery. */
  givenUp: z.nullable(Instant),
  /** The previous secret also signs until then. Null if there is none. */
  previousSecretUntil: z.nullable(Instant),
})
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

/** `waiting`: to be sent or retried. `failed`: given up. */
const DeliveryState = z.enum(['waiting', 'delivered', 'failed'])

export const WebhookDelivery = z.object({
  id: z.number(),
  /** The `webhook-id`, the same for every attempt. */
  event: z.string(),
  type: EventName,
  happened: Instant,
  state: DeliveryState,
  attempts: z.number(),
  attempted: z.nullable(Instant),
  /** HTTP status of the last attempt. Null without a response. */
  status: z.nullable(z.number()),
  milliseconds: z.nullable(z.number()),
  /** The beginning of the response. */
  answer: z.nullable(z.string()),
  /** Why the delivery failed, in English. */
  error: z.nullable(z.string()),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

const WithSecret = z.object({
  endpoint: WebhookEndpoint,
  /** Shown only once: `whsec_` and the key in base64. */
  secret: z.string(),
})

export const webhooks = endpoints({
  list: {
    methods: ['GET'],
    path: '/admin/webhooks',
    access: 'administrator',
    scope: 'admin',
    input: Nothing,
    answer: z.array(WebhookEndpoint),
    summary: 'List webhook endpoints, oldest first',
  },
  create: {
    methods: ['POST'],
    path: '/admin/webhooks',
    access: 'administrator',
    scope: 'admin',
    input: WebhookDraft,
    answer: WithSecret,
    summary:
      'Create a webhook endpoint. The answer contains the signing secret, which is shown only once.',
  },
  edit: {
    methods: ['POST'],
    path: '/admin/webhooks/{id}',
    access: 'administrator',
    scope: 'admin',
    input: z.extend(WebhookDraft, { id: Id }),
    answer: WebhookEndpoint,
    summary: 'Change the URL, events or state of an endpoint. Enabling it resumes deliveries.',
  },
  renewSecret: {
    methods: ['POST'],
    path: '/admin/webhooks/{id}/secret',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ id: Id }),
    answer: WithSecret,
    summary: 'Replace the signing secret. The previous one also signs for 24 hours.',
  },
  remove: {
    methods: ['DELETE'],
    path: '/admin/webhooks/{id}',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ id: Id }),
    answer: null,
    summary: 'Delete an endpoint with its log. Pending deliveries are dropped.',
  },
  deliveries: {
    methods: ['GET'],
    path: '/admin/webhooks/{id}/deliveries',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ id: Id, page: z.optional(Page) }),
    answer: z.array(WebhookDelivery),
    summary: 'List the deliveries of the last 30 days, newest first, 50 per page',
  },
  resend: {
    methods: ['POST'],
    path: '/admin/webhooks/{id}/deliveries/{delivery}/resend',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ id: Id, delivery: Id }),
    answer: null,
    summary: 'Resend a delivery with the same `webhook-id`',
  },
})
