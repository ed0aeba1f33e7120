import type { MessageKey } from '#contract/messages/messages.ts'
import type { Texts } from '#web/core/i18n.tsx'
import type { PageHead } from '#web/core/page.ts'

interface ListHead {
  readonly title: MessageKey
  readonly about: MessageKey
  readonly search: string
  /** The path of this page of the list. */
  readonly canonical: string
  /** The path of the list's feed. */
  readonly feed: string
  /** The items of this page, by whole addresses. */
  readonly items: readonly { readonly url: string; readonly name: string }[]
}

/** What search engines read of a page of the list. */
export const listHead = (
  { title, about, search, canonical, feed, items }: ListHead,
  { t }: Texts,
): PageHead => ({
  title: search === '' ? t(title) : `${t(title)} / ${search}`,
  description: t(about),
  canonical,
  feed,
  // A search is somebody's question, not a page of ours.
  hidden: search !== '',
  jsonLd: {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    itemListElement: items.map((item, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      ...item,
    })),
  },
})
