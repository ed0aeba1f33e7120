import type { Locale } from '#contract/messages/messages.ts'

/** Each language in its own words. */
export const NAMES: Readonly<Record<Locale, string>> = { en: 'English', bg: 'Български' }
