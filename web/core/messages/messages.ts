/** Message catalogues in the browser. Each language has one file for readers and one for the desk and the account. */
import type { Messages } from '@lingui/core'
import { type Locale, localeOf } from '#contract/messages/messages.ts'
import { currentI18n } from '#web/core/i18n.tsx'

type Catalogue = Promise<{ readonly default: Messages }>

const FOR_READERS: Record<Locale, () => Catalogue> = {
  en: () => import('virtual:messages/en'),
  bg: () => import('virtual:messages/bg'),
}
const FOR_DESK: Record<Locale, () => Catalogue> = {
  en: () => import('virtual:messages/en.desk'),
  bg: () => import('virtual:messages/bg.desk'),
}

let isDeskOpen = false

/** Loads the desk's messages as well once one of its pages was opened. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  const wanted = [FOR_READERS[locale](), ...(isDeskOpen ? [FOR_DESK[locale]()] : [])]
  const files = await Promise.all(wanted)
  return Object.assign({}, ...files.map((file) => file.default)) as Messages
}

/** Adds the desk's messages to the current language and to every language that is loaded later. */
export async function openDeskMessages(): Promise<void> {
  isDeskOpen = true
  for (let i18n = currentI18n(); i18n !== null;) {
    const { default: texts } = await FOR_DESK[localeOf(i18n.locale)]()
    // No text on the page needs them yet, so no listener has to be notified.
    Object.assign(i18n.messages, texts)
    const now = currentI18n()
    i18n = now === i18n ? null : now
  }
}
