import type { FormError } from '#contract/errors.ts'
import { isRecord } from '#web/core/shape.ts'

interface ApiErrorDetails {
  readonly status: number
  /** Translated, for a person. */
  readonly message: string
  /** Translated sentences by field. */
  readonly fields?: Readonly<Record<string, string>>
  /** Seconds to wait, from 429 and 503. */
  readonly retryAfter?: number | undefined
  /** Which refusal it is, by the key of its sentence. */
  readonly key?: string | undefined
}

/** A refused or failed call. Status 0: the server was not reached. */
export class ApiError extends Error {
  readonly status: number
  readonly fields: Readonly<Record<string, string>>
  readonly retryAfter: number | undefined
  readonly key: string | undefined

  constructor(details: ApiErrorDetails) {
    super(details.message)
    this.status = details.status
    this.fields = details.fields ?? {}
    this.retryAfter = details.retryAfter
    this.key = details.key
  }
}

/** Reads either error shape of the contract; what is neither becomes the fallback sentence. */
export function readError(status: number, body: unknown, fallback: string, retryAfter?: number) {
  const fields: Record<string, string> = Object.create(null)
  if (Array.isArray(body)) {
    const said = body.filter(isFormError)
    for (const { field, description } of said)
      if (field !== undefined) fields[field] ??= description
    const { description: message = fallback, code: key } = said[0] ?? {}
    return new ApiError({ status, message, fields, retryAfter, key })
  }
  if (!isRecord(body) || typeof body['title'] !== 'string')
    return new ApiError({ status, message: fallback, retryAfter })
  for (const [field, sentences] of Object.entries(isRecord(body['errors']) ? body['errors'] : {})) {
    const sentence: unknown = Array.isArray(sentences) ? sentences[0] : undefined
    if (typeof sentence === 'string') fields[field] = sentence
  }
  const type = typeof body['type'] === 'string' ? body['type'] : ''
  return new ApiError({
    status,
    message: body['title'],
    fields,
    retryAfter,
    key: type.split(':').at(-1),
  })
}

function isFormError(value: unknown): value is FormError {
  return (
    isRecord(value) &&
    typeof value['code'] === 'string' &&
    typeof value['description'] === 'string' &&
    ['string', 'undefined'].includes(typeof value['field'])
  )
}
