import { WEBHOOK_EVENTS, type WebhookEvent } from '#contract/webhooks.ts'
import type { Json } from '#server/kernel/http/openapi-schemas.ts'

const id = { type: 'integer' }
const text = { type: 'string' }
const object = (properties: Json): Json => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const item = object({ id, title: text, url: { type: 'string', format: 'uri' } })
const person = object({
  id: { type: 'string', format: 'uuid' },
  username: text,
  url: { type: 'string', format: 'uri' },
})
const someone = object({ id: { type: 'string', format: 'uuid' } })

const DATA: Readonly<Record<WebhookEvent, Json>> = {
  'lesson.published': object({ lesson: item, owner: person }),
  'lesson.sold': object({ lesson: item, owner: person, price: id, buyer: someone }),
  'lesson.returned': object({ lesson: item, owner: person, price: id, buyer: someone }),
  'course.published': object({ course: item, owner: person }),
  'course.sold': object({ course: item, owner: person, price: id, buyer: someone }),
  'course.returned': object({ course: item, owner: person, price: id, buyer: someone }),
  'comment.created': object({ comment: object({ id }), lesson: item, author: person }),
  'rating.created': {
    type: 'object',
    description: 'With `lesson` or with `course`.',
    properties: { rating: object({ id, stars: id }), lesson: item, course: item, author: person },
    required: ['rating', 'author'],
  },
  'report.created': object({
    report: object({ id, kind: text, subjectId: text }),
    reporter: someone,
  }),
  'user.registered': object({ user: person }),
  'user.suspended': object({ user: person }),
}

export function describeWebhooks(): Json {
  return Object.fromEntries(WEBHOOK_EVENTS.map((event) => [event, { post: describe(event) }]))
}

const signed = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: text,
})

function describe(event: WebhookEvent): Json {
  return {
    operationId: event.replace(/\.(\w)/, (_, first: string) => first.toUpperCase()),
    summary: `Sent to your address on ${event}`,
    description:
      'Signed as Standard Webhooks describes. A delivery that is not answered with 2xx is tried again, with the same webhook-id.',
    tags: ['webhooks'],
    security: [],
    parameters: [
      signed('webhook-id', 'The same at every attempt.'),
      signed('webhook-timestamp', 'Seconds since 1970, of this attempt.'),
      signed('webhook-signature', '`v1,` and the HMAC-SHA256 of id, timestamp and body in base64.'),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: object({
            type: { type: 'string', const: event },
            timestamp: { type: 'string', format: 'date-time' },
            data: DATA[event],
          }),
        },
      },
    },
    responses: {
      '2XX': { description: 'Received' },
      '4XX': { description: 'Not received; it is sent again later' },
    },
  }
}
