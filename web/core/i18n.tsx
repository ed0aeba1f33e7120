/** Texts in the page's language: catalogue keys in, sentences out. */
import { type I18n, setupI18n, type Messages } from '@lingui/core'
import { I18nProvider, Trans, useLingui } from '@lingui/react'
import { createElement, Fragment, type ReactElement, type ReactNode } from 'react'
import { type MessageValues, readMessage } from '#contract/message.ts'
import type { Locale, MessageKey } from '#contract/messages/messages.ts'
import { createFormats, type Formats } from '#web/core/format.ts'

/** Translates a key. Values fill its ICU placeholders. */
export type Text = (key: MessageKey, values?: MessageValues) => string

export interface Texts extends Formats {
  readonly locale: Locale
  readonly t: Text
  /** Translates a packed message of the contract (`message()`); a sentence of the server passes as it is. */
  readonly tp: (packed: string) => string
}

const kept = new WeakMap<I18n, Texts>()
let active: I18n | null = null

/** One language with its compiled catalogue. */
export function createI18n(locale: Locale, messages: Messages): I18n {
  const i18n = setupI18n()
  i18n.loadAndActivate({ locale, messages })
  return i18n
}

export function textsOf(i18n: I18n): Texts {
  const known = kept.get(i18n)
  if (known !== undefined) return known
  const locale: Locale = i18n.locale === 'bg' ? 'bg' : 'en'
  const texts: Texts = {
    ...createFormats(locale),
    locale,
    t: (key, values) => i18n._(key, values),
    tp: (packed) => {
      const { key, values } = readMessage(packed)
      return Object.hasOwn(i18n.messages, key) ? i18n._(key, values) : packed
    },
  }
  kept.set(i18n, texts)
  return texts
}

/** In components: `const { t, tp, formatNumber } = useText()`. */
export function useText(): Texts {
  return textsOf(useLingui().i18n)
}

/** The browser's language, for what is no component. Set by the entry and by the language switch. */
export function activate(i18n: I18n): void {
  active = i18n
}

/** Null before the first page and on the server. */
export const currentI18n = (): I18n | null => active

export const currentText: Text = (key, values) =>
  active === null ? key : textsOf(active).t(key, values)

interface RichProps {
  readonly id: MessageKey
  readonly values?: MessageValues
  /** Elements for the tags of the text: `You publish <title>…</title>`. */
  readonly components: Readonly<Record<string, ReactElement>>
}

/** What a person wrote is no tag of ours: as an element it is put in as it is. */
function shield(values: MessageValues): Record<string, unknown> {
  const shielded = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' && value.includes('<') ? createElement(Fragment, null, value) : value,
  ])
  return Object.fromEntries(shielded)
}

/** A text with elements inside. */
export function Rich({ id, values = {}, components }: RichProps) {
  return <Trans id={id} values={shield(values)} components={components} />
}

export function TextProvider({
  i18n,
  children,
}: {
  readonly i18n: I18n
  readonly children: ReactNode
}) {
  return <I18nProvider i18n={i18n}>{children}</I18nProvider>
}
