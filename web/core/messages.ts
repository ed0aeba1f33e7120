/** The catalogues, compiled at build time: one lazy file for the frame of each language, one for each of its pages. */
import type { Messages } from '@lingui/core'
import type { Locale } from '#contract/messages/messages.ts'
import { currentI18n } from '#web/core/i18n.tsx'

/** Pages that were opened or approached, by their names in the route table. */
const opened = new Set<string>()

const catalogueOf = (locale: Locale) =>
  locale === 'bg' ? import('virtual:messages/bg') : import('virtual:messages/en')

/** A language's texts: those of the frame and of every page that was opened so far. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  const { default: core, pages } = await catalogueOf(locale)
  const messages = { ...core }
  // A set that grows is walked to its end: a page may be opened while another's texts are on their way.
  for (const page of opened) Object.assign(messages, (await pages[page]?.())?.default)
  return messages
}

/** Fetches a page's texts into the language that is shown; before the first page is shown, notes that it needs them. */
export async function openMessages(page: string): Promise<void> {
  opened.add(page)
  for (let i18n = currentI18n(); i18n !== null;) {
    const { pages } = await catalogueOf(i18n.locale === 'bg' ? 'bg' : 'en')
    // Nothing that is shown already needs them, so no listener has to be notified.
    Object.assign(i18n.messages, (await pages[page]?.())?.default)
    const now = currentI18n()
    i18n = now === i18n ? null : now
  }
}
