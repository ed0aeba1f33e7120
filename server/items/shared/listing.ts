/** Lists of lessons or courses: pages with totals, and their cards. */
import { sql, type RawBuilder } from 'kysely'
import type { BoughtSort } from '#contract/items.ts'
import { CAROUSEL_ITEMS, EXACT_TOTAL, LAST_PAGE, PAGE_SIZE } from '#contract/limits.ts'
import type { NumberName, SortOf } from '#contract/numbers.ts'
import type { ItemKind } from '#contract/points.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { CallContext, Viewer } from '#server/kernel/call.ts'
import type { InJson } from '#server/items/shared/cards.ts'
import { isReadable, isVideoGone } from '#server/items/shared/entitlement.ts'
import {
  BEYOND,
  countPlain,
  findFiltered,
  isFiltered,
  offsetOf,
  plainPage,
} from '#server/items/shared/finding.ts'
import type { SortedFields } from '#server/items/shared/number-sources.ts'
import { orderOf, type ItemQuery } from '#server/items/shared/search.ts'
import { itemsOf, TABLES } from '#server/items/shared/tables.ts'

/** The common columns of all statements below. Numbers that a kind lacks are absent. */
export interface ItemRow
  extends Readonly<Partial<Record<NumberName, number | null>>>, Partial<SortedFields> {
  readonly id: number
}

export interface CardSource<Row extends ItemRow, Card> {
  readonly kind: ItemKind
  readonly columns: RawBuilder<unknown>
  /** Joins what the columns need to `page (id)`. `viewerId` is null for guests. */
  readonly joinPage: (viewerId: string | null) => RawBuilder<unknown>
  readonly toCard: (row: Row, viewer: Viewer | null) => Card
}

/** One page and the total of the list. */
export interface Listed<Card> {
  readonly items: Card[]
  /** Exact up to 10,000; above that `more` is true and this is 10,000. */
  readonly total: number
  readonly more: boolean
}

type PageRow<Row> = Row & { found: number }
/** If the page is empty, one row of nulls carries the total. */
type ListRow<Row> = PageRow<Row> | { id: null; found: number }

const BEYOND_CAP = sql.lit(BEYOND)

function toListed<Row extends ItemRow, Card>(
  { toCard }: CardSource<Row, Card>,
  rows: readonly ListRow<Row>[],
  viewer: Viewer | null,
): Listed<Card> {
  const cards = rows.filter((row): row is PageRow<Row> => row.id !== null)
  return withFound(
    cards.map((row) => toCard(row, viewer)),
    rows[0]?.found ?? 0,
  )
}

/** @param found at most BEYOND */
function withFound<Card>(items: Card[], found: number): Listed<Card> {
  return { items, total: Math.min(found, EXACT_TOTAL), more: found > EXACT_TOTAL }
}

/** The requested page, and the number of matches if it is known, at most BEYOND. */
export interface PageAsked {
  /** Counts from 1. */
  readonly page: number
  readonly found: number | undefined
}

/** Beyond the last page the result has no items, only the total. */
export type ReadPage<Card> = (
  db: Db,
  query: ItemQuery,
  viewer: Viewer | null,
  asked: PageAsked,
) => Promise<Listed<Card>>

/**
 * Creates a reader of pages. Without filters it uses one prepared statement per sort. With filters one statement,
 * which is planned for its values, finds the ids, and a prepared one reads the cards: planning a card's joins
 * costs more than reading ten cards. An unknown total is counted too.
 */
export function createPageReader<Row extends ItemRow, Card>(
  source: CardSource<Row, Card>,
): ReadPage<Card> {
  const readPlain = createPlainReader(source)
  const readCards = createCardReader(source)
  return async (db, query, viewer, asked) => {
    if (asked.page > LAST_PAGE && asked.found !== undefined) return withFound([], asked.found)
    if (!isFiltered(source.kind, query)) {
      const listed = await readPlain(db, query, viewer, asked)
      return asked.page > LAST_PAGE ? { ...listed, items: [] } : listed
    }
    const { ids, found } = await findFiltered(db, source.kind, query, asked)
    const shown = asked.page > LAST_PAGE ? [] : ids
    return withFound(shown.length === 0 ? [] : await readCards(db, shown, viewer), found)
  }
}

function createPlainReader<Row extends ItemRow, Card>(
  source: CardSource<Row, Card>,
): ReadPage<Card> {
  return async (db, { sort }, viewer, { page, found }) => {
    const { rows } = await sql<ListRow<Row>>`
      with page as (${plainPage(source.kind, sort, offsetOf(page))})
      select cards.*, total.found
      from (select ${found === undefined ? countPlain(source.kind) : sql`0`} as found) total left join (
        select ${source.columns} from page ${source.joinPage(viewer?.id ?? null)}
      ) cards on true
      order by ${orderOf(sort, 'cards')}`.execute(db)
    const listed = toListed(source, rows, viewer)
    return found === undefined ? listed : withFound(listed.items, found)
  }
}

/** Reads cards in the order of the given ids. */
export function createCardReader<Row extends ItemRow, Card>(
  source: CardSource<Row, Card>,
): (db: Db, ids: readonly number[], viewer: Viewer | null) => Promise<Card[]> {
  return async (db: Db, ids: readonly number[], viewer: Viewer | null): Promise<Card[]> => {
    const { rows } = await sql<Row>`
      select cards.* from (
        select page.place, ${source.columns}
        from unnest(${ids}::bigint[]) with ordinality page (id, place)
        ${source.joinPage(viewer?.id ?? null)}
      ) cards order by cards.place`.execute(db)
    return rows.map((row) => source.toCard(row, viewer))
  }
}

/** Reads the first 8 items by one of their numbers. */
export async function listTop<Row extends ItemRow, Card>(
  db: Db,
  source: CardSource<Row, Card>,
  viewer: Viewer | null,
  sort: SortOf,
): Promise<Card[]> {
  const { rows } = await topRows(source, viewer?.id ?? null, sort).execute(db)
  return rows.map((row) => source.toCard(row, viewer))
}

/** A part of a statement that selects the same rows as a JSON array. */
export function topInJson<Row extends ItemRow & { readonly created_at: Date }, Card>(
  source: CardSource<Row, Card>,
  viewerId: string,
  sort: SortOf,
): RawBuilder<readonly InJson<Row>[]> {
  return sql<readonly InJson<Row>[]>`(
    select coalesce(json_agg(top), '[]') from (${topRows(source, viewerId, sort)}) top
  )`
}

function topRows<Row extends ItemRow, Card>(
  source: CardSource<Row, Card>,
  viewerId: string | null,
  sort: SortOf,
): RawBuilder<Row> {
  const isOffered = source.kind === 'lesson' ? sql`not ${isVideoGone(sql`i.id`)}` : sql`true`
  return sql<Row>`
    with page as (
      select i.id from ${itemsOf(source.kind)} where i.deleted_at is null and ${isOffered}
      order by ${orderOf(sort, 'i')} limit ${sql.lit(CAROUSEL_ITEMS)}
    )
    select * from (select ${source.columns} from page ${source.joinPage(viewerId)}) cards
    order by ${orderOf(sort, 'cards')}`
}

/**
 * Lists what the viewer bought, including items that an erased account left to its buyers. The order is by
 * purchase, newest first, or by when the viewer last opened the item, with unopened ones last.
 */
export function listBought<Row extends ItemRow, Card>(
  db: Db,
  source: CardSource<Row, Card>,
  viewer: Viewer,
  { page = 1, sort }: { readonly page?: number | undefined; readonly sort?: BoughtSort },
): Promise<Listed<Card>> {
  const { purchases, id } = TABLES[source.kind]
  const opened = sort === 'opened' ? lastOpened(source.kind, viewer.id) : sql`null::timestamptz`
  const held = sql`
    select p.${sql.raw(id)} as id, ${opened} as opened, p.created_at as at from ${sql.raw(purchases)} p
    join ${itemsOf(source.kind)} on i.id = p.${sql.raw(id)} where p.user_id = ${viewer.id} and ${isReadable('i')}`
  const order = sort === 'opened' ? sql`opened desc nulls last, at desc` : sql`at desc`
  return listHeld(db, source, viewer, { page, held, order })
}

/** When the viewer last opened the purchased item `p`; for a course, any of its lessons. */
function lastOpened(kind: ItemKind, viewerId: string): RawBuilder<Date | null> {
  return kind === 'lesson'
    ? sql`(select seen.seen_at from lesson_progress seen where seen.user_id = ${viewerId} and seen.lesson_id = p.lesson_id)`
    : sql`(select max(seen.seen_at) from course_lessons part
        join lesson_progress seen on seen.user_id = ${viewerId} and seen.lesson_id = part.lesson_id
        where part.course_id = p.course_id)`
}

export function listOwn<Row extends ItemRow, Card>(
  db: Db,
  source: CardSource<Row, Card>,
  viewer: Viewer,
  page: number,
): Promise<Listed<Card>> {
  const held = sql`
    select i.id, null::timestamptz as opened, i.created_at as at from ${itemsOf(source.kind)}
    where i.owner_id = ${viewer.id} and i.deleted_at is null`
  return listHeld(db, source, viewer, { page, held, order: sql`at desc` })
}

/** @param asked.held selects `id` and the times `opened` and `at`, by which `order` sorts descending */
async function listHeld<Row extends ItemRow, Card>(
  db: Db,
  source: CardSource<Row, Card>,
  viewer: Viewer,
  asked: { page: number; held: RawBuilder<unknown>; order: RawBuilder<unknown> },
): Promise<Listed<Card>> {
  const { page, held, order } = asked
  const offset = (Math.min(page, LAST_PAGE + 1) - 1) * PAGE_SIZE
  const { rows } = await sql<ListRow<Row>>`
    with held as (${held}),
    total as (select count(*) as found from (select 1 from held limit ${BEYOND_CAP}) counted),
    page as (
      select id, row_number() over (order by ${order}, id desc) as place from held
      order by ${order}, id desc limit ${sql.lit(PAGE_SIZE)} offset ${offset}
    )
    select cards.*, total.found from total left join (
      select page.place, ${source.columns} from page ${source.joinPage(viewer.id)}
    ) cards on true
    order by cards.place`.execute(db)
  return toListed(source, rows, viewer)
}

/** Returns the items of a page and sets the header with their total. */
export function withTotal<Card>(context: CallContext, { items, total }: Listed<Card>): Card[] {
  context.setHeader('x-total-count', String(total))
  return items
}
