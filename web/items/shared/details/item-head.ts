import { isFormerMember } from '#contract/former-member.ts'
import { STARS } from '#contract/limits.ts'
import { to } from '#web/core/paths.ts'
import type { Origins, PageHead } from '#web/core/page.ts'

interface DescribedItem {
  readonly title: string
  readonly description: string
  /** A preview by its author, which everybody may read. */
  readonly opening?: string | null
  readonly thumbnail: string
  readonly ownerName: string
  readonly date: string
  readonly tags: readonly string[]
  /** The average; null while there are too few ratings. */
  readonly rating: number | null
  readonly ratings: number
}

interface KindOfItem {
  /** The schema.org type. */
  readonly type: 'LearningResource' | 'Course'
  readonly address: string
  /** The list that contains it, for breadcrumbs. */
  readonly list: { readonly name: string; readonly href: string }
  /** Reading time in minutes. */
  readonly minutes: number
  /** Structured data of this kind only. */
  readonly own?: Readonly<Record<string, unknown>>
}

/** Builds the head of an item's page from what every reader may see. */
export function itemHead(
  item: DescribedItem,
  { type, address, list, minutes, own }: KindOfItem,
  { site, pictures }: Origins,
): PageHead {
  const {
    title,
    description,
    opening = null,
    thumbnail,
    ownerName,
    date,
    tags,
    rating,
    ratings,
  } = item
  return {
    title,
    description: opening === null ? description : `${description} ${opening}`,
    image: thumbnail,
    canonical: address,
    jsonLd: {
      '@context': 'https://schema.org',
      '@graph': [
        {
          '@type': type,
          name: title,
          description,
          ...(opening !== null && { abstract: opening }),
          url: `${site}${address}`,
          image: `${pictures}${thumbnail}`,
          ...(!isFormerMember(ownerName) && {
            author: { '@type': 'Person', name: ownerName, url: site + to.by(ownerName) },
          }),
          datePublished: date,
          keywords: tags,
          timeRequired: `PT${minutes}M`,
          ...(rating !== null && {
            aggregateRating: {
              '@type': 'AggregateRating',
              ratingValue: rating,
              ratingCount: ratings,
              worstRating: STARS.min,
              bestRating: STARS.max,
            },
          }),
          ...own,
        },
        {
          '@type': 'BreadcrumbList',
          itemListElement: [
            { '@type': 'ListItem', position: 1, name: list.name, item: `${site}${list.href}` },
            { '@type': 'ListItem', position: 2, name: title },
          ],
        },
      ],
    },
  }
}
