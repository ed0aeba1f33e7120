/**
 * Refusals are thrown anywhere below a route; one mapper writes them in the caller's language
 * (http/http-errors.ts).
 */
import { message, type MessageValues } from '#contract/message.ts'
import type { MessageKey } from '#contract/messages/messages.ts'

export type FieldMessages = Readonly<Record<string, string>>

export class Refusal extends Error {
  readonly status: number
  readonly key: MessageKey
  readonly values: MessageValues
  readonly fields: FieldMessages
  /** Seconds, for 429 and 503. */
  readonly retryAfter: number | undefined
  /** Extra members of the problem document that tell the caller how to go on. */
  readonly extra: Readonly<Record<string, unknown>>

  constructor(
    status: number,
    key: MessageKey,
    options: {
      values?: MessageValues
      fields?: FieldMessages
      retryAfter?: number
      extra?: Readonly<Record<string, unknown>>
    } = {},
  ) {
    super(`${status} ${key}`)
    this.status = status
    this.key = key
    this.values = options.values ?? {}
    this.fields = options.fields ?? {}
    this.retryAfter = options.retryAfter
    this.extra = options.extra ?? {}
  }
}

/** Makes a 400 with one message at one field. */
export function invalidField(field: string, key: MessageKey, values?: MessageValues): Refusal {
  return new Refusal(400, key, {
    ...(values && { values }),
    fields: { [field]: message(key, values) },
  })
}

/** Makes a 400 with packed messages by field; the first is the title. */
export function invalid(fields: FieldMessages): Refusal {
  return new Refusal(400, 'invalidInput', { fields })
}

/** Makes a 409 with packed messages by field, for names that belong to somebody else. */
export function taken(fields: FieldMessages): Refusal {
  return new Refusal(409, 'conflict', { fields })
}

/** 401: nobody is signed in, or the session has ended. */
export const unauthorized = () => new Refusal(401, 'unauthorized')

/** 403: the caller is known and may not do this. */
export const forbidden = (key: MessageKey = 'forbidden') => new Refusal(403, key)

/** 404: it doesn't exist, or the caller may not know that it does. */
export const notFound = (key: MessageKey = 'notFound') => new Refusal(404, key)

/** 409: the current state doesn't allow it, for example a second purchase or an edit of an older version. */
export const conflict = (key: MessageKey = 'conflict', values?: MessageValues) =>
  new Refusal(409, key, values && { values })
/** 413: a body or a file is larger than allowed. */
export const tooLarge = (key: MessageKey = 'tooLarge', values?: MessageValues) =>
  new Refusal(413, key, values && { values })
/** 415: the call doesn't read bodies of this type. */
export const unsupported = (key: MessageKey = 'unsupportedType') => new Refusal(415, key)

/** 503: a dependency is away or busy; the client may try again after `retryAfter` seconds. */
export const unavailable = (retryAfter = 5) => new Refusal(503, 'unavailable', { retryAfter })

/** 429: too many tries; the next is allowed after `seconds`. Above two minutes the message counts in minutes. */
export function tooMany(seconds: number): Refusal {
  if (seconds <= 120)
    return new Refusal(429, 'tooManyAttempts', { values: { seconds }, retryAfter: seconds })
  const minutes = Math.ceil(seconds / 60)
  return new Refusal(429, 'tooManyForNow', { values: { minutes }, retryAfter: seconds })
}
