/** Refusals: thrown anywhere below a route, written in the caller's language by one mapper (http.ts). */
import { message, type MessageValues } from '#contract/message.ts'
import type { MessageKey } from '#contract/messages/messages.ts'

/** Packed messages by field. */
export type FieldMessages = Readonly<Record<string, string>>

export class Refusal extends Error {
  readonly status: number
  readonly key: MessageKey
  readonly values: MessageValues
  readonly fields: FieldMessages
  /** Seconds, for 429 and 503. */
  readonly retryAfter: number | undefined
  /** Members of the problem besides its words: what the caller may go on with. */
  readonly beside: Readonly<Record<string, unknown>>

  constructor(
    status: number,
    key: MessageKey,
    options: {
      values?: MessageValues
      fields?: FieldMessages
      retryAfter?: number
      beside?: Readonly<Record<string, unknown>>
    } = {},
  ) {
    super(`${status} ${key}`)
    this.status = status
    this.key = key
    this.values = options.values ?? {}
    this.fields = options.fields ?? {}
    this.retryAfter = options.retryAfter
    this.beside = options.beside ?? {}
  }
}

/** 400 with one message at one field. */
export function invalidField(field: string, key: MessageKey, values?: MessageValues): Refusal {
  return new Refusal(400, key, {
    ...(values && { values }),
    fields: { [field]: message(key, values) },
  })
}

/** 400 with packed messages by field; the first is the title. */
export function invalid(fields: FieldMessages): Refusal {
  return new Refusal(400, 'invalidInput', { fields })
}

/** 409 with packed messages by field: what is wanted belongs to somebody else. */
export function taken(fields: FieldMessages): Refusal {
  return new Refusal(409, 'conflict', { fields })
}

/** 401: nobody is signed in, or no longer. */
export const unauthorized = () => new Refusal(401, 'unauthorized')

/** 403: who asks is known and may not do this. */
export const forbidden = (key: MessageKey = 'forbidden') => new Refusal(403, key)

/** 404: there is no such thing, or none that the caller may know of. */
export const notFound = (key: MessageKey = 'notFound') => new Refusal(404, key)

/** 409: what is there does not allow it, for example a second purchase or an edit of an older version. */
export const conflict = (key: MessageKey = 'conflict', values?: MessageValues) =>
  new Refusal(409, key, values && { values })
/** 413: a body or a file is larger than allowed. */
export const tooLarge = (key: MessageKey = 'tooLarge', values?: MessageValues) =>
  new Refusal(413, key, values && { values })
/** 415: the body is of a kind that this call does not read. */
export const unsupported = (key: MessageKey = 'unsupportedType') => new Refusal(415, key)

/** 503: something that is needed is away or busy; the client may try again after so many seconds. */
export const unavailable = (retryAfter = 5) => new Refusal(503, 'unavailable', { retryAfter })

/** 429: too many tries; `seconds` until the next is allowed. From two minutes on the words say minutes. */
export function tooMany(seconds: number): Refusal {
  if (seconds <= 120)
    return new Refusal(429, 'tooManyAttempts', { values: { seconds }, retryAfter: seconds })
  const minutes = Math.ceil(seconds / 60)
  return new Refusal(429, 'tooManyForNow', { values: { minutes }, retryAfter: seconds })
}
