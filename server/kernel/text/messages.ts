import { setupI18n, type I18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { isolateValues } from '#contract/direction.ts'
import { readMessage, type MessageValues } from '#contract/message.ts'
import {
  DEFAULT_LOCALE,
  LOCALES,
  type Locale,
  type MessageKey,
  isLocale,
} from '#contract/messages/messages.ts'
import { catalogueOf } from '#server/kernel/text/catalogues.ts'

const translators = new Map<Locale, I18n>(
  LOCALES.map((locale) => [locale, createTranslator(locale)]),
)

function createTranslator(locale: Locale): I18n {
  const messages = Object.fromEntries(
    Object.entries(catalogueOf(locale)).map(([key, text]) => [key, compileMessage(text)]),
  )
  const i18n = setupI18n()
  i18n.load(locale, messages)
  i18n.activate(locale)
  return i18n
}

/** Fills in the values, isolating texts among them (Unicode bidi). */
export function translate(locale: Locale, key: MessageKey, values: MessageValues = {}): string {
  // A stored locale may be of a language that was removed.
  const translator = translators.get(locale) ?? translators.get(DEFAULT_LOCALE)
  return translator?._(key, isolateValues(values)) ?? key
}

function isKey(key: string): key is MessageKey {
  return Object.hasOwn(catalogueOf(DEFAULT_LOCALE), key)
}

/** A key that isn't ours becomes a generic message. `more` adds values. */
export function translatePacked(locale: Locale, packed: string, more?: MessageValues): string {
  const { key, values } = readMessage(packed)
  return isKey(key)
    ? translate(locale, key, { ...more, ...values })
    : translate(locale, 'invalidInput')
}

/** Prefers the same language and region, then the language, then another region of it. */
function localeOfRange(range: string): Locale | undefined {
  const [language] = range.split('-')
  const find = (matches: (code: string) => boolean) =>
    LOCALES.find((locale) => matches(locale.toLowerCase()))
  return (
    find((code) => code === range) ??
    find((code) => range.startsWith(`${code}-`)) ??
    find((code) => code.split('-')[0] === language)
  )
}

/** Uses `?lang`, then the cookie, then Accept-Language, then English. */
export function chooseLocale(
  query: unknown,
  cookie: string | undefined,
  acceptLanguage: string | undefined,
): Locale {
  if (isLocale(query)) return query
  if (isLocale(cookie)) return cookie
  let best: { locale: Locale; weight: number } = { locale: DEFAULT_LOCALE, weight: 0 }
  for (const part of (acceptLanguage ?? '').split(',').slice(0, 20)) {
    const [range = '', ...parameters] = part.trim().toLowerCase().split(';')
    const locale = localeOfRange(range)
    const quality = parameters
      .map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1])
      .find((value) => value !== undefined)
    const weight = quality === undefined ? 1 : Number(quality)
    if (locale !== undefined && weight > best.weight) best = { locale, weight }
  }
  return best.locale
}
