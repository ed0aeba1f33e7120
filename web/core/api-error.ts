import * as z from 'zod/mini'
import { FormError, Problem } from '#contract/errors.ts'

interface ApiErrorDetails {
  readonly status: number
  /** Translated. */
  readonly message: string
  /** Translated messages, by field. */
  readonly fields?: Readonly<Record<string, string>>
  /** Seconds, from the Retry-After header of a 429 or 503. */
  readonly retryAfter?: number | undefined
  /** The message key of the refusal, such as `confirmFirst`. */
  readonly key?: string | undefined
  /** The whole answer, for refusals that say more than a sentence. */
  readonly body?: unknown
}

/** A call that was refused or failed. Status 0 means that the server was not reached. */
export class ApiError extends Error {
  readonly status: number
  readonly fields: Readonly<Record<string, string>>
  readonly retryAfter: number | undefined
  readonly key: string | undefined
  readonly body: unknown

  constructor(details: ApiErrorDetails) {
    super(details.message)
    this.status = details.status
    this.fields = details.fields ?? {}
    this.retryAfter = details.retryAfter
    this.key = details.key
    this.body = details.body
  }
}

/** For the `catch` of a deletion: ignores a 404, because the thing may already be gone, and rethrows the rest. */
export function passIfGone(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 404) throw error
}

const FormErrors = z.array(FormError)

/** Reads both error formats of the contract and uses the fallback message for any other body. */
export function readError(status: number, body: unknown, fallback: string, retryAfter?: number) {
  const problem = Problem.safeParse(body).data
  if (problem !== undefined) {
    const { title: message, type, errors = {} } = problem
    const fields = Object.fromEntries(
      Object.entries(errors).map(([field, [sentence = '']]) => [field, sentence]),
    )
    return new ApiError({ status, message, fields, retryAfter, key: type.split(':').at(-1), body })
  }
  const errors = FormErrors.safeParse(body).data ?? []
  const { description: message = fallback, code: key } = errors[0] ?? {}
  const fields = new Map<string, string>()
  for (const { field, description } of errors)
    if (field !== undefined && !fields.has(field)) fields.set(field, description)
  return new ApiError({ status, message, fields: Object.fromEntries(fields), retryAfter, key })
}
