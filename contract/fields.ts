/** Pieces that the nouns' schemas are made of. Every error is a packed message (see message.ts). */
import * as z from 'zod/mini'
import type { Range } from '#contract/limits.ts'
import { countedLength, normalizeLine, normalizeText } from '#contract/measure.ts'
import { message } from '#contract/message.ts'
import type { MessageKey } from '#contract/messages/messages.ts'

/** Bounded text: normalised, then measured; the message tells both limits. */
export function text(range: Range, key: MessageKey) {
  return bounded(normalizeText, range, key)
}

/** The same of one line, such as a title: ends of lines become blanks. */
export function line(range: Range, key: MessageKey) {
  return bounded(normalizeLine, range, key)
}

function bounded(normalize: (text: string) => string, range: Range, key: MessageKey) {
  const error = message(key, { min: range.min, max: range.max })
  return z.string({ error }).check(z.overwrite(normalize), lengthIn(range, error))
}

/**
 * Checks that a normalised text is within the range, both ends included, and says by the code of the issue which end it
 * missed. zod's own `minLength` and `maxLength` count UTF-16 units and padding; see measure.ts.
 */
export function lengthIn({ min, max }: Range, error: string, { abort = false } = {}) {
  return ({ value, issues }: z.core.ParsePayload<string>): void => {
    const length = countedLength(value, { min })
    const text = { origin: 'string', inclusive: true, input: value, message: error } as const
    if (length < min) issues.push({ ...text, code: 'too_small', minimum: min, continue: !abort })
    if (length > max) issues.push({ ...text, code: 'too_big', maximum: max, continue: !abort })
  }
}

/** A whole number, also as decimal digits in a path, query or form; `0x29` and `1e2` are no numbers here. */
function whole({ min, max }: Range, error: MessageKey) {
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

/** A positive identity number. */
export const Id = whole({ min: 1, max: Number.MAX_SAFE_INTEGER }, 'invalidId')

/** The place in a list before or after which a page begins: an id, or 0 for before the first. */
export const Cursor = whole({ min: 0, max: Number.MAX_SAFE_INTEGER }, 'invalidId')

/** Up to 100 of them, for what is done to many at once. */
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

/** A user's id. */
export const UserId = uuid()

/** The id of a sign-in. */
export const SessionId = uuid()

/** An optional field: browsers' forms send it empty when nothing was entered. */
export function absentable<Schema extends z.ZodMiniType>(schema: Schema, error: string) {
  return z.optional(
    z.pipe(
      z.union([z.literal(''), schema], { error }),
      z.transform((value) => (value === '' ? undefined : value)),
    ),
  )
}

/** Made by a form, so that a repeated create makes one item. */
export const DraftId = absentable(UserId, 'invalidId')

/** A page number, 1 to LAST_PAGE and beyond (answered with an empty page). */
export const Page = whole({ min: 1, max: 1_000_000 }, 'invalidPage')

/** A tick in a form: `on`, `true`, `1` are yes; everything else, absence included, is no. */
export const Tick = z.pipe(z.optional(z.union([z.boolean(), z.string()])), z.transform(isTicked))

/** Whether a form field says yes. Browsers send `on` for a tick, other clients a boolean; absence is no. */
export function isTicked(value: string | boolean | undefined): boolean {
  return value === true || value === 'on' || value === 'true' || value === '1'
}

/** An uploaded file part. */
export const Picture = z.file({ error: 'pictureRequired' })
/** ISO 8601, UTC. */
export const Instant = z.string()
/** An absolute path of this origin that answers an image. */
export const ImagePath = z.string()
/** For calls without input. */
export const Nothing = z.object({})
