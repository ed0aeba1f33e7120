import type { CaptionLanguage } from '#contract/items.ts'
import { LANGUAGES, type Locale } from '#contract/messages/messages.ts'

const names = new Map<Locale, Intl.DisplayNames>()

/** Returns the name of a language in the page's language. */
export function languageName(locale: Locale, language: CaptionLanguage): string {
  const known =
    names.get(locale) ?? new Intl.DisplayNames(LANGUAGES[locale].tag, { type: 'language' })
  names.set(locale, known)
  return known.of(language) ?? language
}
