/** Message catalogues in the browser: of each language the sections that its pages need. */
import type { Messages } from '@lingui/core'
import { loaders } from 'virtual:messages'
import type { Locale, Section } from '#contract/messages/messages.ts'
import { currentI18n } from '#web/core/i18n.tsx'

/** Sections of pages that were opened. */
const opened = new Set<Section>(['readers'])

async function load(sections: Iterable<Section>, locale: Locale): Promise<Messages> {
  const files = [...sections].map(async (section) => (await loaders[section][locale]?.())?.default)
  return Object.assign({}, ...(await Promise.all(files)))
}

/** Loads the sections of all pages that were opened, also while it loads. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  for (;;) {
    const { size } = opened
    const messages = await load(opened, locale)
    if (opened.size === size) return messages
  }
}

/** Adds sections to the current language and to every language that is loaded later. */
export async function openMessages(sections: readonly Section[]): Promise<void> {
  for (const section of sections) opened.add(section)
  for (let i18n = currentI18n(); i18n !== null;) {
    // No text on the page needs them yet, so no listener has to be notified.
    Object.assign(i18n.messages, await load(sections, i18n.locale))
    const now = currentI18n()
    i18n = now === i18n ? null : now
  }
}
