import type { MessageKey } from '#contract/messages/messages.ts'
import type { Texts } from '#web/core/i18n.tsx'
import type { PageHead } from '#web/core/page.ts'

interface ListHead {
  readonly title: MessageKey
  readonly about: MessageKey
  readonly search: string
  readonly canonical: string
  readonly feed: string
  /** The items of this page with absolute URLs. */
  readonly items: readonly { readonly url: string; readonly name: string }[]
}

export const listHead = (
  { title, about, search, canonical, feed, items }: ListHead,
  { t }: Texts,
): PageHead => ({
  title: search === '' ? t(title) : `${t(title)} / ${search}`,
  description: t(about),
  canonical,
  feed,
  // Search results are not indexed.
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
