/**
 * Embeds user text in our sentences. Right-to-left text and direction overrides would otherwise reorder the
 * sentence around them, including amounts.
 */
import type { MessageValues } from '#contract/message.ts'

/** Embeddings, overrides and isolates, which change the direction of what follows. Marks (LRM, RLM, ALM) don't. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/gu
/** Marks, and the blocks whose characters run from right to left by default (UAX #9, table 4). */
const TURNED =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/** Removes the characters that change the direction of what follows. */
export function stripTurns(text: string): string {
  return text.replaceAll(TURNS, '')
}

/**
 * Returns the text between U+2068 and U+2069 if it could reorder the sentence around it, else unchanged. Removes
 * characters that could end the isolate.
 */
export function isolate(text: string): string {
  return TURNED.test(text) ? `${FIRST_STRONG_ISOLATE}${stripTurns(text)}${POP_ISOLATE}` : text
}

export function isolateValues(values: MessageValues): MessageValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? isolate(value) : value,
    ]),
  )
}
