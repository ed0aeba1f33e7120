/** How texts are normalised and counted, the same in schemas and in the counters of forms. */
import { stripTurns } from '#contract/direction.ts'
import type { Range } from '#contract/limits.ts'

/** Control characters besides the tab and the end of a line. */
const CONTROLS = /(?![\t\n])\p{Cc}/gu
const LINE_ENDS = /[\t\n\p{Zl}\p{Zp}]+/gu

/** NFC, LF line ends, no white space at the ends: for names and addresses, of which other characters are refused. */
export function trimText(text: string): string {
  return text.normalize('NFC').replaceAll('\r\n', '\n').trim()
}

/**
 * The form in which text is measured and stored: NFC, LF line ends, no white space at the ends, no control characters
 * and none that override the direction of what follows.
 */
export function normalizeText(text: string): string {
  const lines = text.replaceAll(/\r\n?/gu, '\n')
  return stripTurns(lines).replaceAll(CONTROLS, '').normalize('NFC').trim()
}

/** The same for a text of one line, such as a title. */
export function normalizeLine(text: string): string {
  return normalizeText(text.replaceAll(/\r/gu, '\n').replaceAll(LINE_ENDS, ' '))
}

/** Code points, as every limit counts them. */
export function lengthOf(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Characters that leave no mark on paper, some of which count as letters (the Hangul fillers). */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu
/** The same, but for the joiner inside an emoji, which is a character of it. */
const PADDING =
  /(?!(?<=\p{Extended_Pictographic}\ufe0f?)\u200d\p{Extended_Pictographic})[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu
const LETTER = /[\p{L}\p{N}]/gu
/** White space, and the blank of Braille, which is none by its category. */
const BLANKS = /[\s\p{Z}\u2800]+/gu

/** Letters and digits of any script, whatever form they are written in; what can't be seen is none. */
export function countLetters(text: string): number {
  return text.normalize('NFKC').replaceAll(INVISIBLE, '').match(LETTER)?.length ?? 0
}

/** A text without padding: no invisible characters, one blank for several. Not for storing: emoji need some of them. */
export function squeeze(text: string): string {
  return text.replaceAll(PADDING, '').replaceAll(BLANKS, ' ').trim()
}

/** The length without padding. */
export function visibleLengthOf(text: string): number {
  return lengthOf(squeeze(text))
}

/**
 * The length of the normalised text as a range judges it: padding doesn't help a text to reach the minimum, and counts
 * for the maximum.
 */
export function countedLength(text: string, { min }: Pick<Range, 'min'>): number {
  const normal = normalizeText(text)
  const visible = visibleLengthOf(normal)
  return visible === 0 || visible < min ? visible : lengthOf(normal)
}

/** True when the normalised text is within the range, both ends included. */
export function fits(text: string, range: Range): boolean {
  const length = countedLength(text, range)
  return length >= range.min && length <= range.max
}
