/** How text is measured, apart from the schemas: a page that only counts loads none of them. */
import type { Range } from '#contract/limits.ts'

/** The form in which text is measured and stored: NFC, LF line ends, no white space at the ends. */
export function normalizeText(text: string): string {
  return text.normalize('NFC').replaceAll('\r\n', '\n').trim()
}

/** Code points, as every limit counts them. */
export function lengthOf(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Characters that leave no mark on paper, some of which count as letters (the Hangul fillers). */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
const LETTER = /[\p{L}\p{N}]/gu

/** Letters and digits of any script, whatever form they are written in; what can't be seen is none. */
export function countLetters(text: string): number {
  return text.normalize('NFKC').replaceAll(INVISIBLE, '').match(LETTER)?.length ?? 0
}

/** Joiners, fillers and blanks alone: where nothing can be seen, nothing was written. */
const NOTHING_SEEN = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Z}\u2800]*$/u

/** True when the normalised text's length is within the range, both ends included; what can't be seen has none. */
export function fits(text: string, range: Range): boolean {
  const normal = normalizeText(text)
  const length = NOTHING_SEEN.test(normal) ? 0 : lengthOf(normal)
  return length >= range.min && length <= range.max
}
