/** Message catalogues in the browser: of each language the section for readers and the one for the desk and the account. */
import type { Messages } from '@lingui/core'
import { desk, type Loaders, readers } from 'virtual:messages'
import type { Locale } from '#contract/messages/messages.ts'
import { currentI18n } from '#web/core/i18n.tsx'

let isDeskOpen = false

const load = async (section: Loaders, locale: Locale): Promise<Messages | undefined> =>
  (await section[locale]?.())?.default

/** Loads the desk's messages as well once one of its pages was opened. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  const sections = isDeskOpen ? [readers, desk] : [readers]
  return Object.assign({}, ...(await Promise.all(sections.map((each) => load(each, locale)))))
}

/** Adds the desk's messages to the current language and to every language that is loaded later. */
export async function openDeskMessages(): Promise<void> {
  isDeskOpen = true
  for (let i18n = currentI18n(); i18n !== null;) {
    // No text on the page needs them yet, so no listener has to be notified.
    Object.assign(i18n.messages, await load(desk, i18n.locale))
    const now = currentI18n()
    i18n = now === i18n ? null : now
  }
}
