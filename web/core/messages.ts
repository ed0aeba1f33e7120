/** The catalogues, compiled at build time: one lazy file for the frame of each language, one for each of its pages. */
import type { Messages } from '@lingui/core'
import type { Locale } from '#contract/messages/messages.ts'
import { currentI18n } from '#web/core/i18n.tsx'

/** Files with the texts of pages, by the pages' names; null: that page has none of its own. */
export type TextFiles = Readonly<Record<string, string | null>>

/** Pages that were opened or approached, by their names in the route table. */
const opened = new Set<string>()
/** Those of the first page, which the server has named: the list of all pages is fetched for the second. */
let first: { readonly locale: Locale; readonly files: TextFiles } | undefined

const catalogueOf = (locale: Locale) =>
  locale === 'bg' ? import('virtual:messages/bg') : import('virtual:messages/en')
const pagesOf = (locale: Locale) =>
  locale === 'bg' ? import('virtual:page-messages/bg') : import('virtual:page-messages/en')

/** Notes where the texts of the first page are. To be called before any is asked for. */
export function nameFirstTexts(locale: Locale, files: TextFiles): void {
  first = { locale, files }
}

/** A language's texts: those of the frame and of every page that was opened so far. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  const { default: core } = await catalogueOf(locale)
  const messages = { ...core }
  // A set that grows is walked to its end: a page may be opened while another's texts are on their way.
  for (const page of opened) Object.assign(messages, await textsOf(locale, page))
  return messages
}

/** Fetches a page's texts into the language that is shown; before the first page is shown, notes that it needs them. */
export async function openMessages(page: string): Promise<void> {
  opened.add(page)
  for (let i18n = currentI18n(); i18n !== null;) {
    // Nothing that is shown already needs them, so no listener has to be notified.
    Object.assign(i18n.messages, await textsOf(i18n.locale === 'bg' ? 'bg' : 'en', page))
    const now = currentI18n()
    i18n = now === i18n ? null : now
  }
}

/** A page's own texts; undefined where it has none besides those of the frame. */
async function textsOf(locale: Locale, page: string): Promise<Messages | undefined> {
  const file = first?.locale === locale ? first.files[page] : undefined
  if (file === null) return undefined
  if (file !== undefined) {
    // A file of this build, whose modules all export the same.
    const module = (await import(/* @vite-ignore */ file)) as { readonly default: Messages }
    return module.default
  }
  const { pages } = await pagesOf(locale)
  return (await pages[page]?.())?.default
}
