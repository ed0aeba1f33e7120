import type { listed, Sort } from '#contract/items.schemas.ts'
import type { Band } from '#contract/limits.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import type * as z from 'zod/mini'
import { useText } from '#web/core/i18n.tsx'

/** What a list of lessons or courses is asked for. */
export interface Chosen {
  readonly search: string
  readonly sort: Sort
  readonly owner?: string | undefined
  readonly views?: Band | undefined
  readonly likes: Band
  readonly comments: Band
}

/** What a list knows of itself. */
export type Listed = { readonly [Key in keyof typeof listed]: z.infer<(typeof listed)[Key]> }

/** The sentences of a list that name its noun. */
export interface ListWords {
  readonly title: MessageKey
  /** With `total`, a number or "10,000+". */
  readonly count: MessageKey
  readonly countMany: MessageKey
  readonly show: MessageKey
  readonly showMany: MessageKey
  readonly loading: MessageKey
  readonly noneAtAll: MessageKey
  readonly noneFiltered: MessageKey
  /** With `search`. */
  readonly noneFound: MessageKey
  readonly create: MessageKey
}

const SORTED: Readonly<Record<Sort, MessageKey>> = {
  likes: 'sortedLikes',
  views: 'sortedViews',
  comments: 'sortedComments',
  none: 'sortedNone',
}

/** How many choices of sort and filters are set. */
export function choicesOf({ sort, views = 0, likes, comments }: Chosen): number {
  return [sort !== 'none', views !== 0, likes !== 0, comments !== 0].filter(Boolean).length
}

type Counted = Pick<Listed, 'total' | 'more'>

/** "212 lessons, most liked first"; above the exact total "10,000+ lessons, …". */
export function useListCount(words: ListWords): (list: Counted, sort: Sort) => string {
  const { t, formatNumber } = useText()
  return ({ total, more }, sort) => {
    const count = more
      ? t(words.countMany, { total: `${formatNumber(total)}+` })
      : t(words.count, { total })
    return `${count}, ${t(SORTED[sort])}`
  }
}
