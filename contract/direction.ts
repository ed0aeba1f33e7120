/**
 * User text inside our sentences. Right-to-left text, and the characters that override the direction, would otherwise
 * reorder what we say around it, amounts included.
 */
import type { MessageValues } from '#contract/message.ts'

/** Embeddings, overrides and isolates: they turn what follows. Marks (LRM, RLM, ALM) don't. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/gu
/** Marks, and the blocks whose characters run from right to left by default (UAX #9, table 4). */
const TURNED =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/** Removes the characters that turn the direction of what follows. */
export function stripTurns(text: string): string {
  return text.replaceAll(TURNS, '')
}

/**
 * A text for the middle of a sentence: between U+2068 and U+2069 where it could reorder its surroundings, else as it is.
 * Characters that could end the isolate are removed.
 */
export function isolate(text: string): string {
  return TURNED.test(text) ? `${FIRST_STRONG_ISOLATE}${stripTurns(text)}${POP_ISOLATE}` : text
}

/** Isolates every text among the values of a sentence. */
export function isolateValues(values: MessageValues): MessageValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? isolate(value) : value,
    ]),
  )
}
