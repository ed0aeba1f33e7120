/** The only mapper from errors to the two error shapes of the API, in the caller's language. */
import type { FormError, Problem } from '#contract/errors.ts'
import { readMessage } from '#contract/message.ts'
import type { Locale } from '#contract/messages/messages.ts'
import { codeOf, isAway } from '#server/kernel/process/away.ts'
import { DISK_FULL } from '#server/kernel/process/disk.ts'
import { Refusal } from '#server/kernel/errors.ts'
import { translate, translatePacked } from '#server/kernel/text/messages.ts'

/** Seconds after which there may be space on the disk again. */
const ROOM_AFTER = 30
const diskFull = () => new Refusal(507, 'diskFull', { retryAfter: ROOM_AFTER })

const BY_CODE: Readonly<Record<string, () => Refusal>> = {
  ...Object.fromEntries(DISK_FULL.map((code) => [code, diskFull])),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Refusal(413, 'tooLarge'),
  FST_REQ_FILE_TOO_LARGE: () => new Refusal(413, 'tooLarge'),
  FST_FILES_LIMIT: () => new Refusal(413, 'tooLarge'),
  FST_FIELDS_LIMIT: () => new Refusal(413, 'tooLarge'),
  FST_PARTS_LIMIT: () => new Refusal(413, 'tooLarge'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Refusal(415, 'unsupportedType'),
  FST_INVALID_MULTIPART_CONTENT_TYPE: () => new Refusal(415, 'unsupportedType'),
  FST_UNDER_PRESSURE: () => new Refusal(503, 'unavailable', { retryAfter: 5 }),
}

/** The form parser gives these errors no code: a body without a boundary, or one that ends too early. */
const MALFORMED_FORM = /^Multipart: Boundary not found$|unexpected end of multipart data$/i

/** Turns an error into a refusal. Returns null for a bug, which is logged and answered without details. */
export function toRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  const known = BY_CODE[codeOf(error) ?? '']
  if (known !== undefined) return known()
  if (error instanceof Error && MALFORMED_FORM.test(error.message))
    return new Refusal(400, 'badRequest')
  if (isAway(error)) return new Refusal(503, 'unavailable', { retryAfter: 5 })
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  if (typeof status !== 'number' || status < 400 || status >= 500) return null
  if (status === 429) return new Refusal(429, 'tooManyRequests', { retryAfter: 60 })
  return new Refusal(
    status === 404 || status === 413 || status === 415 ? status : 400,
    'badRequest',
  )
}

const fault = new Refusal(500, 'somethingWrong')

/** Writes problem+json (RFC 9457) for JSON calls. */
export function toProblem(refusal: Refusal | null, locale: Locale): Problem {
  const { status, key, values, fields, extra } = refusal ?? fault
  const errors = Object.fromEntries(
    Object.entries(fields).map(([field, packed]) => [field, [translatePacked(locale, packed)]]),
  )
  const first = Object.values(errors)[0]?.[0]
  return {
    type: `urn:knowledge-bazaar:${key}`,
    title: key === 'invalidInput' && first !== undefined ? first : translate(locale, key, values),
    status,
    ...(first !== undefined && { errors }),
    ...extra,
  }
}

/** Writes the array that form calls return; our pages show its first item. */
export function toFormErrors(refusal: Refusal | null, locale: Locale): FormError[] {
  const { key, values, fields } = refusal ?? fault
  const list = Object.entries(fields).map(([field, packed]) => ({
    code: readMessage(packed).key,
    description: translatePacked(locale, packed),
    ...(field !== '' && { field }),
  }))
  return list.length > 0 ? list : [{ code: key, description: translate(locale, key, values) }]
}
