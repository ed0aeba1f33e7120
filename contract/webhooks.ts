/** Addresses of other programs that are told what happens, and what came of it. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Id, Instant, Nothing, Page, line, Tick } from '#contract/fields.ts'
import { WEBHOOK_TEXT, WEBHOOK_URL_LENGTH } from '#contract/limits.ts'

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

const EventName = z.enum(WEBHOOK_EVENTS, { error: 'invalidChoice' })

/** What is an address at all; which of them are refused the server says. */
const Address = z
  .string({ error: 'webhookUrlMs' })
  .check(
    z.trim(),
    z.maxLength(WEBHOOK_URL_LENGTH, { error: 'webhookUrlMs' }),
    z.url({ protocol: /^https?$/, error: 'webhookUrlMs' }),
  )

/** What an administrator decides of an endpoint. */
export const WebhookDraft = z.object({
  url: Address,
  description: line(WEBHOOK_TEXT, 'webhookTextMs'),
  events: z
    .array(EventName, { error: 'webhookEventsMs' })
    .check(
      z.minLength(1, { error: 'webhookEventsMs' }),
      z.maxLength(WEBHOOK_EVENTS.length, { error: 'webhookEventsMs' }),
    ),
  enabled: Tick,
})

export const WebhookEndpoint = z.object({
  id: z.number(),
  url: z.string(),
  description: z.string(),
  events: z.array(EventName),
  enabled: z.boolean(),
  created: Instant,
  /** Nothing has arrived since then; null: the last delivery did, or there was none. */
  failingSince: z.nullable(Instant),
  /** It was switched off by itself then, because nothing arrived for days. */
  givenUp: z.nullable(Instant),
  /** The secret before the present one signs too until then; null: there is none. */
  previousSecretUntil: z.nullable(Instant),
})
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

/** waiting: it is sent, or sent again. failed: given up. */
const DeliveryState = z.enum(['waiting', 'delivered', 'failed'])

export const WebhookDelivery = z.object({
  id: z.number(),
  /** `webhook-id`, the same at every attempt. */
  event: z.string(),
  type: EventName,
  happened: Instant,
  state: DeliveryState,
  attempts: z.number(),
  attempted: z.nullable(Instant),
  /** Of the last attempt; null where nothing was answered. */
  status: z.nullable(z.number()),
  milliseconds: z.nullable(z.number()),
  /** The first signs of what was answered. */
  answer: z.nullable(z.string()),
  /** Why it did not arrive, in English. */
  error: z.nullable(z.string()),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

const WithSecret = z.object({
  endpoint: WebhookEndpoint,
  /** Shown this once: `whsec_` and the key in base64. */
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
    summary: 'Addresses of other programs that are told what happens, the oldest first',
  },
  create: {
    methods: ['POST'],
    path: '/admin/webhooks',
    access: 'administrator',
    scope: 'admin',
    input: WebhookDraft,
    answer: WithSecret,
    summary: 'Tell another program what happens; answers the secret that signs, this once',
  },
  edit: {
    methods: ['POST'],
    path: '/admin/webhooks/{id}',
    access: 'administrator',
    scope: 'admin',
    input: z.extend(WebhookDraft, { id: Id }),
    answer: WebhookEndpoint,
    summary: 'Change an address and what it is told of; switched on again, it is tried anew',
  },
  renewSecret: {
    methods: ['POST'],
    path: '/admin/webhooks/{id}/secret',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ id: Id }),
    answer: WithSecret,
    summary: 'Replace the secret that signs; the one before is worth nothing at once',
  },
  remove: {
    methods: ['DELETE'],
    path: '/admin/webhooks/{id}',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ id: Id }),
    answer: null,
    summary: 'Remove an address with its log; what waits for it is not sent',
  },
  deliveries: {
    methods: ['GET'],
    path: '/admin/webhooks/{id}/deliveries',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ id: Id, page: z.optional(Page) }),
    answer: z.array(WebhookDelivery),
    summary: 'What was sent to an address in the last 30 days, newest first; 50 a page',
  },
  resend: {
    methods: ['POST'],
    path: '/admin/webhooks/{id}/deliveries/{delivery}/resend',
    access: 'administrator',
    scope: 'admin',
    input: z.object({ id: Id, delivery: Id }),
    answer: null,
    summary: 'Send something once more, with the id that it had',
  },
})
