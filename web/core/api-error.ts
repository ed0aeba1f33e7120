import { FormError, Problem } from '#contract/errors.ts'
import * as z from 'zod/mini'

interface ApiErrorDetails {
  readonly status: number
  /** Translated, for a person. */
  readonly message: string
  /** Translated sentences by field. */
  readonly fields?: Readonly<Record<string, string>>
  /** Seconds to wait, from 429 and 503. */
  readonly retryAfter?: number | undefined
}

/** A refused or failed call. Status 0: the server was not reached. */
export class ApiError extends Error {
  readonly status: number
  readonly fields: Readonly<Record<string, string>>
  readonly retryAfter: number | undefined

  constructor(details: ApiErrorDetails) {
    super(details.message)
    this.status = details.status
    this.fields = details.fields ?? {}
    this.retryAfter = details.retryAfter
  }
}

const FormErrors = z.array(FormError).check(z.minLength(1))

/** Reads either error shape; what is neither becomes the fallback sentence. */
export function readError(status: number, body: unknown, fallback: string, retryAfter?: number) {
  const problem = Problem.safeParse(body)
  if (problem.success) {
    const fields: Record<string, string> = {}
    for (const [field, sentences] of Object.entries(problem.data.errors ?? {})) {
      if (sentences[0] !== undefined) fields[field] = sentences[0]
    }
    return new ApiError({ status, message: problem.data.title, fields, retryAfter })
  }
  const list = FormErrors.safeParse(body)
  if (!list.success) return new ApiError({ status, message: fallback, retryAfter })
  const fields: Record<string, string> = {}
  for (const error of list.data)
    if (error.field !== undefined) fields[error.field] ??= error.description
  return new ApiError({
    status,
    message: list.data[0]?.description ?? fallback,
    fields,
    retryAfter,
  })
}
