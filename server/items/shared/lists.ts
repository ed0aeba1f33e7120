/**
 * The lists of a kind for its routes. Totals, chip counts and guests' pages are the same for everybody: they are
 * cached (answer-cache.ts) and dropped when a change is published. Pages of signed-in viewers contain their own
 * marks, so each is read separately.
 */
import { LAST_PAGE, PAGE_SIZE } from '#contract/limits.ts'
import { bandsOf, type BandOf, type ChipOf, type SortOf } from '#contract/numbers.ts'
import type { ItemKind } from '#contract/points.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { isStale, itemsOf, type Event } from '#server/platform/events/catalogue.ts'
import type { Core } from '#server/platform/core/core.ts'
import { createAnswerCache } from '#server/items/shared/caches/answer-cache.ts'
import { createChipCounts, filterKeyOf, type Counts } from '#server/items/shared/counts.ts'
import { BEYOND } from '#server/items/shared/finding.ts'
import {
  createPageReader,
  listTop,
  type CardSource,
  type ItemRow,
  type Listed,
} from '#server/items/shared/listing.ts'
import type { ItemQuery } from '#server/items/shared/search.ts'

/**
 * Guests' pages of a kind; 500 take about 5 MB. One second is enough under load, and it bounds the delay of writes
 * on other nodes. A page of the site that is rendered from them may be five seconds older.
 */
const PAGES = { most: 500, freshMs: 1000 }
const TOTALS = { most: 1000, freshMs: 900 }

export interface Lists<Card, Chip extends BandOf> {
  /** Pages count from 1. Beyond the last page there are no items, only the total. */
  page(query: ItemQuery, viewer: Viewer | null, page?: number): Promise<Listed<Card>>
  /** A page with chip counts, for the site's own lists. Beyond the last page it returns the last one. */
  browse(query: ItemQuery, viewer: Viewer | null, asked?: number): Promise<Browsed<Card, Chip>>
  /** The first 8 items by one of their numbers. */
  top(viewer: Viewer | null, sort: SortOf): Promise<Card[]>
}

interface Browsed<Card, Chip extends BandOf> extends Listed<Card> {
  readonly page: number
  readonly pages: number
  readonly beyond: boolean
  readonly counts: Counts<Chip>
}

/** What decides whether a changed number affects a cached response. */
interface Cached<Value> {
  readonly value: Value
  /** True if other items may enter the list. */
  readonly goesByNumbers: boolean
  /** The items in the response, which contains their numbers. */
  readonly ids: readonly number[]
}

/** Subscribes to events, which drop the caches. */
export function createLists<Kind extends ItemKind, Row extends ItemRow, Card extends ItemRow>(
  { reads, clock, events }: Pick<Core, 'reads' | 'clock' | 'events'>,
  kind: Kind,
  source: CardSource<Row, Card>,
): Lists<Card, ChipOf<Kind>> {
  const readPage = createPageReader(source)
  const chips = createChipCounts({ reads, clock }, kind)
  const pages = createAnswerCache<Cached<Listed<Card>>>(clock, PAGES)
  const tops = createAnswerCache<Card[]>(clock, PAGES)
  const totals = createAnswerCache<Cached<number>>(clock, TOTALS)
  const bands: readonly BandOf[] = bandsOf<ItemKind>(kind)
  const inBands = (query: ItemQuery) => bands.some((name) => (query[name] ?? 0) > 0)

  events.subscribe((event) => {
    if (isStale(event, 'names', 'items')) tops.drop()
    if (isStale(event, 'names')) pages.drop()
    const items = itemsIn(event, kind)
    if (items === null) return
    const isChanged = isMovedBy(items)
    pages.drop(isChanged)
    tops.drop()
    totals.drop(isChanged)
    chips.forget(items === 'any' ? 'items' : 'numbers')
  })

  const read = async (query: ItemQuery, viewer: Viewer | null, page: number) => {
    const db = reads.of(viewer)
    if (chips.surelyMany(query)) return readPage(db, query, viewer, { page, found: BEYOND })
    let counted: Listed<Card> | undefined
    const total = await totals.load(filterKeyOf(query), async () => {
      const listed = await readPage(reads.shared(viewer), query, viewer, { page, found: undefined })
      counted = listed
      const found = listed.more ? BEYOND : listed.total
      return { value: found, goesByNumbers: inBands(query), ids: [] }
    })
    return counted ?? readPage(db, query, viewer, { page, found: total.value })
  }
  const list = async (query: ItemQuery, viewer: Viewer | null, page = 1): Promise<Listed<Card>> => {
    if (viewer !== null) return read(query, viewer, page)
    // All pages beyond the last one are the same.
    const asked = Math.min(page, LAST_PAGE + 1)
    const { value } = await pages.load(`${filterKeyOf(query)} ${query.sort} ${asked}`, async () => {
      const listed = await read(query, null, asked)
      const goesByNumbers = query.sort !== 'none' || inBands(query)
      return { value: listed, goesByNumbers, ids: listed.items.map(({ id }) => id) }
    })
    return value
  }
  return {
    page: list,
    browse: async (query, viewer, asked = 1) => {
      const [first, counts] = await Promise.all([list(query, viewer, asked), chips.of(query)])
      const last = pagesOf(first.total)
      const beyond = asked > last
      const { items, total, more } = beyond ? await list(query, viewer, last) : first
      return { items, total, more, page: beyond ? last : asked, pages: last, beyond, counts }
    },
    top: (viewer, sort) =>
      viewer === null
        ? tops.load(sort, () => listTop(reads.of(null), source, null, sort))
        : listTop(reads.of(viewer), source, viewer, sort),
  }
}

/**
 * Returns the ids of a kind whose numbers changed; `any` if items were added, removed or edited; null if lists
 * don't show the change.
 */
function itemsIn(event: Event, kind: ItemKind): readonly number[] | 'any' | null {
  if (isStale(event, 'items')) return 'any'
  if (!isStale(event, 'numbers', 'views')) return null
  const ids = itemsOf(event).flatMap((item) => (item.kind === kind ? [item.id] : []))
  return ids.length === 0 ? null : ids
}

function isMovedBy(items: readonly number[] | 'any') {
  if (items === 'any') return () => true
  const moved = new Set(items)
  return ({ goesByNumbers, ids }: Cached<unknown>) =>
    goesByNumbers || ids.some((id) => moved.has(id))
}

/** Returns the number of pages, from 1 to LAST_PAGE. */
function pagesOf(total: number): number {
  return Math.min(LAST_PAGE, Math.max(1, Math.ceil(total / PAGE_SIZE)))
}
