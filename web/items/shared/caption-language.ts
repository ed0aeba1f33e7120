import { CAPTION_LANGUAGES, type CaptionLanguage } from '#contract/items.ts'
import { type Locale, tagOf } from '#contract/messages/messages.ts'

const names = new Map<Locale, Intl.DisplayNames>()

/** Returns the name of a language in the page's language. */
export function languageName(locale: Locale, language: CaptionLanguage): string {
  const known = names.get(locale) ?? new Intl.DisplayNames(tagOf(locale), { type: 'language' })
  names.set(locale, known)
  return known.of(language) ?? language
}

/** Finds a code that was chosen or is the page's language. Falls back to English. */
export const captionLanguageOf = (code: string): CaptionLanguage =>
  CAPTION_LANGUAGES.find((one) => one === code) ?? 'en'
