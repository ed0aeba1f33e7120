/** Translations: components look up a message key and get a text in the page's language. */
import { type I18n, setupI18n, type Messages } from '@lingui/core'
import { I18nProvider, Trans, useLingui } from '@lingui/react'
import { createContext, createElement, type ReactElement, type ReactNode, useContext } from 'react'
import { isolateValues, stripTurns } from '#contract/direction.ts'
import { type MessageValues, readMessage } from '#contract/message.ts'
import { type Locale, type MessageKey, localeOf } from '#contract/messages/messages.ts'
import type { SiteName, SiteNames } from '#contract/site.ts'
import { createFormats, type Formats } from '#web/core/format.ts'
import { isRecord } from '#web/core/shape.ts'
import { useSettings } from '#web/core/settings.ts'

/** Translates a key. The values fill its ICU placeholders. */
export type Text = (key: MessageKey, values?: MessageValues) => string

export interface Texts extends Formats {
  readonly locale: Locale
  readonly t: Text
  /** Translates a packed message of the contract (`message()`). Returns any other text unchanged. */
  readonly tp: (packed: string) => string
}

const cache = new WeakMap<I18n, Texts>()
let active: I18n | null = null

const siteNames = new WeakMap<I18n, SiteName>()

/** Creates a language from its compiled catalogue. The site's name is a placeholder of every message. */
export function createI18n(locale: Locale, messages: Messages, names: SiteNames): I18n {
  const i18n = setupI18n()
  i18n.loadAndActivate({ locale, messages })
  siteNames.set(i18n, nameOf(i18n, names))
  return i18n
}

/** The page has the names that the catalogues lack. */
function nameOf({ locale, messages }: I18n, names: SiteNames): SiteName {
  const [site, tagline] = [plainText(messages['siteName']), plainText(messages['siteTagline'])]
  const own = site === undefined || tagline === undefined ? undefined : { site, tagline }
  return names[locale] ?? own ?? names.en
}

/** Cached for each language, because formatters are expensive to create. */
export function textsOf(i18n: I18n): Texts {
  const known = cache.get(i18n)
  if (known !== undefined) return known
  const locale = localeOf(i18n.locale)
  const name = siteNames.get(i18n)
  const plurals = new Intl.PluralRules(locale)
  const texts: Texts = {
    ...createFormats(locale),
    locale,
    t: (key, values) =>
      plainText(i18n.messages[key]) ??
      pluralWord(i18n.messages[key], values, plurals) ??
      i18n._(key, isolateValues({ ...name, ...values })),
    tp: (packed) => {
      const { key, values } = readMessage(packed)
      return Object.hasOwn(i18n.messages, key) ? texts.t(key as MessageKey, values) : packed
    },
  }
  cache.set(i18n, texts)
  return texts
}

/** Most messages are plain text and need no formatting by Lingui. */
function plainText(message: Messages[string] | undefined): string | undefined {
  const [word, ...more] = Array.isArray(message) ? message : []
  return typeof word === 'string' && more.length === 0 ? word : undefined
}

/** Lingui would format the number of a plural that shows none ("views"), which took a tenth of a list's rendering. */
function pluralWord(
  message: Messages[string] | undefined,
  values: MessageValues | undefined,
  plurals: Intl.PluralRules,
): string | undefined {
  const [token, ...more] = Array.isArray(message) ? message : []
  if (values === undefined || more.length > 0 || !Array.isArray(token)) return undefined
  const [name, kind, forms] = token
  const value = values[name]
  if (kind !== 'plural' || typeof value !== 'number' || !isRecord(forms)) return undefined
  const form = forms[plurals.select(value)] ?? forms['other']
  const isExact = 'offset' in forms || String(value) in forms
  const word = isExact || !Array.isArray(form) || form.length !== 1 ? undefined : form[0]
  return typeof word === 'string' && word !== '#' ? word : undefined
}

/** Lingui's own context value is a new object on each page and would rerender every component. */
const TextsContext = createContext<Texts | null>(null)

/** Throws outside of a TextProvider. */
export function useText(): Texts {
  const texts = useContext(TextsContext)
  if (texts === null) throw new Error('there is no TextProvider above')
  return texts
}

/** Sets the browser's language for code outside of components. The entry and the language switch call it. */
export function activate(i18n: I18n): void {
  active = i18n
}

/** Null on the server, and before the first page. */
export const currentI18n = (): I18n | null => active

/** For code outside of components. Returns the key on the server and before the first activation. */
export const currentText: Text = (key, values) =>
  active === null ? key : textsOf(active).t(key, values)

interface RichProps {
  readonly id: MessageKey
  readonly values?: MessageValues
  /** Elements for the tags of the message: `You publish <title>…</title>`. */
  readonly components: Readonly<Record<string, ReactElement>>
}

/** Elements keep Lingui from parsing users' tags, and isolate their writing direction from the sentence. */
function shield(values: MessageValues): Record<string, unknown> {
  const shielded = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? createElement('bdi', null, stripTurns(value)) : value,
  ])
  return Object.fromEntries(shielded)
}

export function Rich({ id, values = {}, components }: RichProps) {
  const { names } = useSettings()
  const name = nameOf(useLingui().i18n, names)
  return <Trans id={id} values={{ ...name, ...shield(values) }} components={components} />
}

export function TextProvider({
  i18n,
  children,
}: {
  readonly i18n: I18n
  readonly children: ReactNode
}) {
  return (
    <I18nProvider i18n={i18n}>
      <TextsContext value={textsOf(i18n)}>{children}</TextsContext>
    </I18nProvider>
  )
}
