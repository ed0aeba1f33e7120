/** Normalises and counts texts in the same way for schemas and for the counters of forms. */
import { stripTurns } from '#contract/direction.ts'
import type { Range } from '#contract/limits.ts'

/** Control characters except tab and line feed. */
const CONTROLS = /(?![\t\n])\p{Cc}/gu
const LINE_ENDS = /[\t\n\p{Zl}\p{Zp}]+/gu

/** NFC, LF line ends, trimmed. For names and addresses, which refuse other characters anyway. */
export function trimText(text: string): string {
  return text.normalize('NFC').replaceAll('\r\n', '\n').trim()
}

/**
 * The form in which texts are measured and stored: NFC, LF line ends, trimmed, without control characters and
 * direction overrides.
 */
export function normalizeText(text: string): string {
  const lines = text.replaceAll(/\r\n?/gu, '\n')
  return stripTurns(lines).replaceAll(CONTROLS, '').normalize('NFC').trim()
}

/** Also replaces line breaks, for texts of one line such as titles. */
export function normalizeLine(text: string): string {
  return normalizeText(text.replaceAll(/\r/gu, '\n').replaceAll(LINE_ENDS, ' '))
}

/** Counts code points, as all limits do. */
export function lengthOf(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Invisible characters, some of which count as letters (the Hangul fillers). */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu
/** Like INVISIBLE, except for the joiner inside an emoji, which is part of it. */
const PADDING =
  /(?!(?<=\p{Extended_Pictographic}\ufe0f?)\u200d\p{Extended_Pictographic})[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu
const LETTER = /[\p{L}\p{N}]/gu
/** White space, and the Braille blank, which has another category. */
const BLANKS = /[\s\p{Z}\u2800]+/gu

/** Counts visible letters and digits of any script, independent of the Unicode form. */
export function countLetters(text: string): number {
  return text.normalize('NFKC').replaceAll(INVISIBLE, '').match(LETTER)?.length ?? 0
}

/**
 * Removes invisible characters and collapses spaces. Don't store the result, because emoji need some of these
 * characters.
 */
export function squeeze(text: string): string {
  return text.replaceAll(PADDING, '').replaceAll(BLANKS, ' ').trim()
}

/** Counts code points, without invisible characters and with each run of white space as one. */
export function visibleLengthOf(text: string): number {
  return lengthOf(squeeze(text))
}

/**
 * The length of a normalised text for a range check: padding doesn't count towards the minimum, but counts towards
 * the maximum.
 */
export function countedLength(text: string, { min }: Pick<Range, 'min'>): number {
  const normal = normalizeText(text)
  const visible = visibleLengthOf(normal)
  return visible === 0 || visible < min ? visible : lengthOf(normal)
}

export function fits(text: string, range: Range): boolean {
  const length = countedLength(text, range)
  return length >= range.min && length <= range.max
}
