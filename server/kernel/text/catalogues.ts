/** The ICU message texts of all languages. Browsers load compiled ones by language and section. */
import { type Locale, LOCALES, type MessageKey } from '#contract/messages/messages.ts'
import { sectionsOf } from '#server/kernel/text/locales.ts'

type Catalogue = Readonly<Record<MessageKey, string>>

const catalogues = new Map<Locale, Catalogue>(
  LOCALES.map((locale) => [
    locale,
    // Every language has the keys of English.
    Object.assign({}, ...Object.values(sectionsOf(locale))) as Catalogue,
  ]),
)

/** Throws for a locale that doesn't exist. */
export function catalogueOf(locale: Locale): Catalogue {
  const catalogue = catalogues.get(locale)
  if (catalogue === undefined) throw new RangeError(`there is no language "${locale}"`)
  return catalogue
}
