/** Schemas that read the texts of settings, with packed messages as errors. */
import * as z from 'zod/mini'
import { readableOn, type Scheme } from '#contract/contrast.ts'
import { DOORS } from '#contract/door.ts'
import { lengthIn } from '#contract/fields.ts'
import { normalizeLine } from '#contract/measure.ts'
import { message } from '#contract/message.ts'

/** In bytes, of the encoded picture. */
export const LOGO_BYTES = 64 * 1024
const SITE_TEXT = { min: 1, max: 120 }
const MOST_WORDS = 500

export const line = z
  .string()
  .check(
    z.overwrite(normalizeLine),
    lengthIn(SITE_TEXT, message('settingTextMs', { max: SITE_TEXT.max })),
  )

export function whole(max: number) {
  const error = message('settingNumberMs', { max })
  return z.pipe(
    z.string().check(
      z.trim(),
      z.regex(/^\d{1,9}$/, { error }),
      z.refine((digits) => Number(digits) <= max, { error }),
    ),
    z.transform(Number),
  )
}

export const tick = z.pipe(
  z.enum(['0', '1'], { error: 'settingTickMs' }),
  z.transform((text) => text === '1'),
)

/** A colour for text, links and buttons. */
export const colour = (scheme: Scheme) =>
  z.string().check(
    z.toLowerCase(),
    z.regex(/^#[0-9a-f]{6}$/, { error: 'settingColourMs', abort: true }),
    z.refine((given) => readableOn(scheme, given), {
      error: scheme === 'light' ? 'settingColourLightMs' : 'settingColourDarkMs',
    }),
  )

export const words = z.pipe(
  z.string(),
  z.pipe(
    z.transform((text: string) => [
      ...new Set(
        text
          .split(/[,\n]/)
          .map((word) => normalizeLine(word))
          .filter((word) => word !== ''),
      ),
    ]),
    z
      .array(z.string())
      .check(z.maxLength(MOST_WORDS, { error: message('settingWordsMs', { max: MOST_WORDS }) })),
  ),
)

export const door = z.enum(DOORS, { error: 'settingDoorMs' })

const DOMAIN =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{M}\p{N}-]{2,}$/u

export const domains = z.pipe(
  words,
  z.array(z.string()).check(
    z.refine((list) => list.every((domain) => DOMAIN.test(domain)), {
      error: 'settingDomainsMs',
    }),
  ),
)

/** A small picture as a data URL. The page uploads one with the call `logo`. */
export const logo = z
  .string()
  .check(
    z.regex(/^data:image\/webp;base64,[A-Za-z0-9+/]+={0,2}$/, { error: 'settingLogoMs' }),
    z.maxLength(Math.ceil((LOGO_BYTES * 4) / 3) + 40, { error: 'settingLogoMs' }),
  )
