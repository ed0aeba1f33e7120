import { FILTER_NAMES, type Filters, type listed, type Sort } from '#contract/items.ts'
import type { Band } from '#contract/limits.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { BAND_NAMES, NUMBERS, type BandOf } from '#contract/numbers.ts'
import type * as z from 'zod/mini'
import { useText } from '#web/core/i18n.tsx'

export interface Chosen extends Filters, Readonly<Partial<Record<BandOf, Band>>> {
  readonly search: string
  readonly sort: Sort
  readonly page?: number | undefined
  readonly owner?: string | undefined
}

export type Listed = { readonly [Key in keyof typeof listed]: z.infer<(typeof listed)[Key]> }

export interface ListWords {
  readonly title: MessageKey
  /** Takes `total`, a number or "10,000+". */
  readonly count: MessageKey
  readonly countMany: MessageKey
  readonly show: MessageKey
  readonly showMany: MessageKey
  readonly loading: MessageKey
  readonly noneAtAll: MessageKey
  readonly noneFiltered: MessageKey
  readonly noneFound: MessageKey
  readonly create: MessageKey
}

/** Counts the active filters, including a sort order. */
export function choicesOf(query: Chosen): number {
  const bands = BAND_NAMES.filter((name) => (query[name] ?? 0) !== 0)
  const filters = FILTER_NAMES.filter((name) => query[name] !== undefined)
  return bands.length + filters.length + (query.sort === 'none' ? 0 : 1)
}

type Counted = Pick<Listed, 'total' | 'more'>

/** Formats "212 lessons, most liked first", or "10,000+ lessons, …". An empty list has no sort order. */
export function useListCount(words: ListWords): (list: Counted, sort: Sort) => string {
  const { t, formatNumber } = useText()
  return ({ total, more }, sort) => {
    const count = more
      ? t(words.countMany, { total: `${formatNumber(total)}+` })
      : t(words.count, { total })
    if (total === 0) return count
    return `${count}, ${t(sort === 'none' ? 'sortedNone' : NUMBERS[sort].sorted)}`
  }
}
