/** Limits of captions and of what accepted captions are paid. */
import type { Range } from '#contract/limits.ts'

/** Captions of one language: size of the file, number of cues, and characters of one. */
export const CAPTION_BYTES = 1_000_000
export const CAPTION_CUES = 10_000
export const CAPTION_LINE = 500
/** Languages with captions per lesson. */
export const CAPTION_LANGUAGES_A_LESSON = 3
/** An author's answer to offered captions. */
export const CAPTION_ANSWER: Range = { min: 1, max: 300 }
/** Open offers of captions by one person, and for one lesson. Those that are older than `days` don't count. */
export const CAPTION_OFFERS = { person: 10, lesson: 20, days: 30 } as const
/** Captions that are stored or offered per minute, by one person and by all. */
export const CAPTIONS_A_MINUTE = { person: 10, all: 120 } as const
/** Lists of offers that are read per minute. A list may have some megabytes. */
export const CAPTION_LISTS_A_MINUTE = { person: 30, all: 300 } as const
/** KB Points for accepted captions, and how many of a person's are paid in a UTC day. */
export const CAPTION_REWARD = 25
export const CAPTION_REWARDS_A_DAY = 4
