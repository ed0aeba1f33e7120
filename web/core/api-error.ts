import * as z from 'zod/mini'
import { FormError, Problem } from '#contract/errors.ts'

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

/** For `catch`, where what is to be removed may be gone already: everything but a 404 is thrown on. */
export function passIfGone(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 404) throw error
}

const FormErrors = z.array(FormError)

/** Reads either error shape of the contract; what is neither becomes the fallback sentence. */
export function readError(status: number, body: unknown, fallback: string, retryAfter?: number) {
  const problem = Problem.safeParse(body).data
  if (problem !== undefined) {
    const { title: message, type, errors = {} } = problem
    const fields = Object.fromEntries(
      Object.entries(errors).map(([field, [sentence = '']]) => [field, sentence]),
    )
    return new ApiError({ status, message, fields, retryAfter, key: type.split(':').at(-1) })
  }
  const said = FormErrors.safeParse(body).data ?? []
  const { description: message = fallback, code: key } = said[0] ?? {}
  const fields = new Map<string, string>()
  for (const { field, description } of said)
    if (field !== undefined && !fields.has(field)) fields.set(field, description)
  return new ApiError({ status, message, fields: Object.fromEntries(fields), retryAfter, key })
}
