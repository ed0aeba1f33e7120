/** Building blocks of the schemas. Every error is a packed message (see message.ts). */
import * as z from 'zod/mini'
import type { Range } from '#contract/limits.ts'
import { countedLength, normalizeLine, normalizeText } from '#contract/measure.ts'
import { message } from '#contract/message.ts'
import type { MessageKey } from '#contract/messages/messages.ts'

/** A text of bounded length, measured after normalisation. The error message names both bounds. */
export function text(range: Range, key: MessageKey) {
  return bounded(normalizeText, range, key)
}

/** Like `text`, but for one line such as a title: line breaks become spaces. */
export function line(range: Range, key: MessageKey) {
  return bounded(normalizeLine, range, key)
}

function bounded(normalize: (text: string) => string, range: Range, key: MessageKey) {
  const error = message(key, { min: range.min, max: range.max })
  return z.string({ error }).check(z.overwrite(normalize), lengthIn(range, error))
}

/**
 * Checks the length of a normalised text, bounds included. The issue's code says which bound it missed. zod's
 * `minLength` and `maxLength` count UTF-16 units, including surrounding white space; see measure.ts.
 */
export function lengthIn({ min, max }: Range, error: string, { abort = false } = {}) {
  return ({ value, issues }: z.core.ParsePayload<string>): void => {
    const length = countedLength(value, { min })
    const text = { origin: 'string', inclusive: true, input: value, message: error } as const
    if (length < min) issues.push({ ...text, code: 'too_small', minimum: min, continue: !abort })
    if (length > max) issues.push({ ...text, code: 'too_big', maximum: max, continue: !abort })
  }
}

/** A whole number or decimal digits. Refuses `0x29` and `1e2`. */
function integer({ min, max }: Range, error: MessageKey) {
  const isWithin = (value: number) => Number.isSafeInteger(value) && value >= min && value <= max
  return z.union(
    [
      z.number().check(z.refine(isWithin)),
      z.pipe(
        z.string().check(
          z.regex(/^\d{1,16}$/),
          z.refine((digits) => isWithin(Number(digits))),
        ),
        z.transform(Number),
      ),
    ],
    { error },
  )
}

export const Id = integer({ min: 1, max: Number.MAX_SAFE_INTEGER }, 'invalidId')

/** The id next to which a page begins, without that row; 0 is the start. */
export const Cursor = integer({ min: 0, max: Number.MAX_SAFE_INTEGER }, 'invalidId')

/** Up to 100 ids, for batch calls. */
export const Ids = z
  .array(Id, { error: 'invalidId' })
  .check(z.minLength(1, { error: 'invalidId' }), z.maxLength(100, { error: 'invalidId' }))

const uuid = () =>
  z.string({ error: 'invalidId' }).check(
    z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, {
      error: 'invalidId',
    }),
    z.toLowerCase(),
  )

/** The version of a draft; 0 before the first. */
export const DraftVersion = integer({ min: 0, max: 2_147_483_646 }, 'invalidId')

export const UserId = uuid()

export const SessionId = uuid()

/** An optional field that may also be empty, because browsers send empty fields of forms. */
export function emptyAsAbsent<Schema extends z.ZodMiniType>(schema: Schema, error: string) {
  return z.optional(
    z.pipe(
      z.union([z.literal(''), schema], { error }),
      z.transform((value) => (value === '' ? undefined : value)),
    ),
  )
}

/** Created by the form, so that a repeated request creates only one item. */
export const DraftId = emptyAsAbsent(UserId, 'invalidId')

/** Pages beyond the last are valid and empty. */
export const Page = integer({ min: 1, max: 1_000_000 }, 'invalidPage')

/** A checkbox: `on`, `true` and `1` are yes; anything else, or no value, is no. */
export const Checkbox = z.pipe(
  z.optional(z.union([z.boolean(), z.string()])),
  z.transform(isTicked),
)

/** Browsers send `on` for a checkbox, other clients a boolean. */
export function isTicked(value: string | boolean | undefined): boolean {
  return value === true || value === 'on' || value === 'true' || value === '1'
}

export const Picture = z.file({ error: 'pictureRequired' })
/** ISO 8601, UTC. Only in answers, so it isn't validated. */
export const Instant = z.string()
/** Absolute path on this origin that returns an image. */
export const ImagePath = z.string()
export const Nothing = z.object({})
