import type { Locale } from '#contract/messages/messages.ts'

/** Each language's name in that language. */
export const NAMES: Readonly<Record<Locale, string>> = { en: 'English', bg: 'Български' }
