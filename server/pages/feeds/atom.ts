/**
 * Writes a feed as Atom (RFC 4287): of each item what its card shows to guests, and nothing that must be unlocked.
 */
import { type Locale, isLocale } from '#contract/messages/messages.ts'
import type { FeedItem, Subject } from '#server/pages/feeds/finding.ts'
import { element, writeXml, type Element } from '#server/pages/feeds/xml.ts'
import { translate } from '#server/kernel/text/messages.ts'

/** Origins of pages and of pictures. */
export interface Origins {
  readonly site: string
  readonly pictures: string
}

export interface FeedParts {
  readonly subject: Subject
  readonly items: readonly FeedItem[]
  readonly locale: Locale
  /** The feed's own path, with the language if the URL has one. */
  readonly path: string
  readonly site: string
  readonly tagline: string
  readonly origins: Origins
}

const ATOM = 'http://www.w3.org/2005/Atom'
const XHTML = 'http://www.w3.org/1999/xhtml'

/** Returns when a feed last changed, or 1970 for a feed without items. */
export function updatedOf(items: readonly FeedItem[]): Date {
  return new Date(Math.max(0, ...items.map(({ updated }) => updated.getTime())))
}

export function writeAtom(feed: FeedParts): string {
  const { items, locale, path, site, tagline, origins } = feed
  const self = origins.site + path
  return writeXml(
    element(
      'feed',
      { xmlns: ATOM, 'xml:lang': locale, 'xml:base': `${origins.site}/` },
      element('id', {}, self),
      element('title', {}, `${titleOf(feed)} · ${site}`),
      element('subtitle', {}, tagline),
      element('updated', {}, updatedOf(items).toISOString()),
      element('author', {}, element('name', {}, site), element('uri', {}, `${origins.site}/`)),
      element('icon', {}, `${origins.site}/favicon.svg`),
      element('link', { rel: 'self', type: 'application/atom+xml', href: self }),
      element('link', {
        rel: 'alternate',
        type: 'text/html',
        href: origins.site + pageOf(feed),
      }),
      ...items.map((item) => toEntry(item, origins)),
    ),
  )
}

/** The name of an author is public once it is on a card, so a feed without items doesn't show it. */
function titleOf({ subject, items, locale }: FeedParts): string {
  switch (subject.of) {
    case 'lessons':
      return translate(locale, 'feedLessons')
    case 'courses':
      return translate(locale, 'feedCourses')
    case 'tag':
      return translate(locale, 'feedTag', { tag: subject.tag })
    case 'author': {
      const username = items[0]?.card.ownerName
      return username === undefined
        ? translate(locale, 'feedAuthorSilent')
        : translate(locale, 'feedAuthor', { username })
    }
    default:
      return subject satisfies never
  }
}

/** Returns the page with the same content. */
function pageOf({ subject, items }: FeedParts): string {
  switch (subject.of) {
    case 'lessons':
      return '/lesson/all'
    case 'courses':
      return '/course/all'
    case 'tag':
      return `/tag/${encodeURIComponent(subject.tag)}`
    case 'author':
      return items[0] === undefined ? '/' : publicPageOf(items[0].card)
    default:
      return subject satisfies never
  }
}

/** An author's. Guests may open it. */
const publicPageOf = ({ ownerName }: FeedItem['card']) => `/by/${encodeURIComponent(ownerName)}`

function toEntry({ kind, card, updated }: FeedItem, { site, pictures }: Origins): Element {
  const { id, title, description, thumbnail, tags, language, ownerName, date } = card
  const page = `${site}/${kind}/details/${id}`
  const picture = pictures + thumbnail
  const opening = 'opening' in card ? card.opening : null
  return element(
    'entry',
    { 'xml:lang': isLocale(language) ? language : undefined },
    element('id', {}, page),
    element('title', {}, title),
    element('published', {}, date),
    element('updated', {}, updated.toISOString()),
    element(
      'author',
      {},
      element('name', {}, ownerName),
      element('uri', {}, site + publicPageOf(card)),
    ),
    ...tags.map((tag) => element('category', { term: tag })),
    element('link', { rel: 'alternate', type: 'text/html', href: page }),
    element('link', {
      rel: 'enclosure',
      type: thumbnail.endsWith('.svg') ? 'image/svg+xml' : 'image/webp',
      href: picture,
    }),
    element('summary', {}, description),
    element(
      'content',
      { type: 'xhtml' },
      element(
        'div',
        { xmlns: XHTML },
        element('p', {}, element('img', { src: picture, alt: '' })),
        ...[description, opening]
          .filter((text) => text !== null && text !== '')
          .map((text) => element('p', {}, text ?? '')),
      ),
    ),
  )
}
