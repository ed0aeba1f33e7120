/** Lists of items, lessons or courses: pages with totals, done by the database, one round trip each. */
import { sql, type RawBuilder } from 'kysely'
import { CAROUSEL_ITEMS, EXACT_TOTAL, LAST_PAGE, PAGE_SIZE } from '#contract/limits.ts'
import { bandsOf, sortsOf, type NumberName, type SortOf } from '#contract/numbers.ts'
import type { ItemKind } from '#contract/points.schemas.ts'
import { CUSTOM_PLAN, type Db } from '#server/db/connect.ts'
import { foldTerm, isShort } from '#server/db/folded-search.ts'
import type { CallContext, Viewer } from '#server/kernel/call.ts'
import { isReadable } from '#server/items/entitlement.ts'
import { columnOf } from '#server/items/number-sources.ts'
import { conditionsOf, orderOf, type ItemQuery } from '#server/items/search.ts'
import { itemsOf, TABLES } from '#server/items/tables.ts'

/** What every statement below gives for each item; a number that the kind lacks is not among it. */
export interface ItemRow extends Readonly<Partial<Record<NumberName, number>>> {
  readonly id: number
}

/** Where a kind of item is listed from, and what its cards are made of. */
export interface CardSource<Row extends ItemRow, Card> {
  readonly kind: ItemKind
  /** Of a card. */
  readonly columns: RawBuilder<unknown>
  /** Joins to `page (id)` what the columns need; `viewerId` null: a guest. */
  readonly joinPage: (viewerId: string | null) => RawBuilder<unknown>
  readonly toCard: (row: Row, viewer: Viewer | null) => Card
}

/** One page, and how many there are in all. */
export interface Listed<Card> {
  readonly items: Card[]
  /** Exact to 10,000; above, `more` is true and this is 10,000. */
  readonly total: number
  readonly more: boolean
}

type PageRow<Row> = Row & { found: number }
/** Where nothing is on the page, one row of nulls carries the total. */
type ListRow<Row> = PageRow<Row> | { id: null; found: number }

const CAP = sql.lit(EXACT_TOTAL)
const BEYOND_CAP = sql.lit(EXACT_TOTAL + 1)

function toListed<Row extends ItemRow, Card>(
  { toCard }: CardSource<Row, Card>,
  rows: readonly ListRow<Row>[],
  viewer: Viewer | null,
): Listed<Card> {
  const found = rows[0]?.found ?? 0
  return {
    items: rows
      .filter((row): row is PageRow<Row> => row.id !== null)
      .map((row) => toCard(row, viewer)),
    total: Math.min(found, EXACT_TOTAL),
    more: found > EXACT_TOTAL,
  }
}

/** The pages there are, at least one, at most LAST_PAGE. */
function pagesOf(total: number): number {
  return Math.min(LAST_PAGE, Math.max(1, Math.ceil(total / PAGE_SIZE)))
}

/**
 * One page of what a query finds, in one statement of three steps: `page` has the ids of the items, found along one
 * index of the narrow table (plainPage, filteredPage, shortTermPage say which), `total` how many there are, counted up
 * to 10,001, and then the cards of these ten are joined by their keys. With conditions it is planned for its values.
 * The parameter `page` counts from 1; beyond the last page there are no items, only the total. `surelyMany` spares the
 * counting where it is known that there are more than EXACT_TOTAL.
 */
export async function listItems<Row extends ItemRow, Card>(
  db: Db,
  source: CardSource<Row, Card>,
  query: ItemQuery,
  viewer: Viewer | null,
  { page, surelyMany = false }: { page: number; surelyMany?: boolean },
): Promise<Listed<Card>> {
  const offset = (Math.min(page, LAST_PAGE + 1) - 1) * PAGE_SIZE
  const filtered =
    foldTerm(query.search) !== '' ||
    query.owner !== undefined ||
    bandsOf(source.kind).some((name) => (query[name] ?? 0) > 0)
  const ids = filtered
    ? filteredPage(source, query, offset)
    : plainPage(source, query, offset, surelyMany)
  const { rows } = await sql<ListRow<Row>>`${filtered ? CUSTOM_PLAN : sql``}
    with ${ids}
    select cards.*, total.found from total left join (
      select ${source.columns} from page ${source.joinPage(viewer?.id ?? null)}
    ) cards on true
    order by ${orderOf(query.sort, 'cards')}`.execute(db)
  const listed = toListed(source, rows, viewer)
  return page > LAST_PAGE ? { ...listed, items: [] } : listed
}

type Source = Pick<CardSource<ItemRow, unknown>, 'kind'>

/** Without any condition: a walk along the sort's index. */
function plainPage(
  { kind }: Source,
  query: ItemQuery,
  offset: number,
  surelyMany: boolean,
): RawBuilder<unknown> {
  const found = surelyMany
    ? BEYOND_CAP
    : sql`(select count(*) from (select 1 from ${itemsOf(kind)} where i.deleted_at is null limit ${BEYOND_CAP}) counted)`
  return sql`total as (select ${found} as found), page as (
    select i.id from ${itemsOf(kind)} where i.deleted_at is null
    order by ${orderOf(query.sort, 'i')} limit ${sql.lit(PAGE_SIZE)} offset ${offset}
  )`
}

/** With conditions: the finds are gathered in the order of the list, as many as are counted; the page is cut from them. */
function filteredPage(source: Source, query: ItemQuery, offset: number): RawBuilder<unknown> {
  if (isShort(foldTerm(query.search))) return shortTermPage(source, query, offset)
  return sql`hits as materialized (
      select i.id, ${counts(source)} from ${itemsOf(source.kind)} where ${conditionsOf(query, 'walked')}
      order by ${orderOf(query.sort, 'i')} limit ${BEYOND_CAP}
    ), total as (select count(*) as found from hits), page as (
      select hits.id from hits order by ${orderOf(query.sort, 'hits')} ${slice(offset)}
    )`
}

/**
 * With a short term: few finds are gathered by their grams, counted and sorted; where there are more than are
 * counted, the page comes from a walk along the sort's index. Only one of the two arms runs.
 */
function shortTermPage(source: Source, query: ItemQuery, offset: number): RawBuilder<unknown> {
  const items = itemsOf(source.kind)
  return sql`hits as materialized (
      select i.id, ${counts(source)} from ${items} where ${conditionsOf(query, 'looked up')} limit ${BEYOND_CAP}
    ), total as materialized (select count(*) as found from hits), page as (
      (select hits.id from hits where (select found from total) <= ${CAP} order by ${orderOf(query.sort, 'hits')} ${slice(offset)})
      union all
      (select i.id from ${items} where (select found from total) > ${CAP} and ${conditionsOf(query, 'walked')}
       order by ${orderOf(query.sort, 'i')} ${slice(offset)})
    )`
}

/** What sorts and bands look at, for each find. */
function counts({ kind }: Source): RawBuilder<unknown> {
  return sql.join(
    [...new Set<NumberName>([...bandsOf(kind), ...sortsOf(kind)])].map(
      (name) => sql`i.${columnOf(name)}`,
    ),
  )
}

function slice(offset: number): RawBuilder<unknown> {
  return sql`limit ${sql.lit(PAGE_SIZE)} offset ${offset}`
}

/** The first 8 by one of their numbers. */
export async function listTop<Row extends ItemRow, Card>(
  db: Db,
  source: CardSource<Row, Card>,
  viewer: Viewer | null,
  sort: SortOf,
): Promise<Card[]> {
  const { rows } = await sql<Row>`
    with page as (
      select i.id from ${itemsOf(source.kind)} where i.deleted_at is null
      order by ${orderOf(sort, 'i')} limit ${sql.lit(CAROUSEL_ITEMS)}
    )
    select * from (select ${source.columns} from page ${source.joinPage(viewer?.id ?? null)}) cards
    order by ${orderOf(sort, 'cards')}`.execute(db)
  return rows.map((row) => source.toCard(row, viewer))
}

/** What the viewer bought, newest purchase first; of what its owner's erased account left to its buyers too. */
export function listBought<Row extends ItemRow, Card>(
  db: Db,
  source: CardSource<Row, Card>,
  viewer: Viewer,
  page: number,
): Promise<Listed<Card>> {
  const { purchases, id } = TABLES[source.kind]
  const held = sql`
    select p.${sql.raw(id)} as id, p.created_at as at from ${sql.raw(purchases)} p
    join ${itemsOf(source.kind)} on i.id = p.${sql.raw(id)} where p.user_id = ${viewer.id} and ${isReadable('i')}`
  return listHeld(db, source, viewer, { page, held })
}

/** What the viewer made, newest first. */
export function listOwn<Row extends ItemRow, Card>(
  db: Db,
  source: CardSource<Row, Card>,
  viewer: Viewer,
  page: number,
): Promise<Listed<Card>> {
  const held = sql`
    select i.id, i.created_at as at from ${itemsOf(source.kind)}
    where i.owner_id = ${viewer.id} and i.deleted_at is null`
  return listHeld(db, source, viewer, { page, held })
}

/** `held`: a select of `id` and `at`, the later the sooner. */
async function listHeld<Row extends ItemRow, Card>(
  db: Db,
  source: CardSource<Row, Card>,
  viewer: Viewer,
  { page, held }: { page: number; held: RawBuilder<unknown> },
): Promise<Listed<Card>> {
  const offset = (Math.min(page, LAST_PAGE + 1) - 1) * PAGE_SIZE
  const { rows } = await sql<ListRow<Row>>`
    with held as (${held}),
    total as (select count(*) as found from (select 1 from held limit ${BEYOND_CAP}) counted),
    page as (select id, at from held order by at desc, id desc limit ${sql.lit(PAGE_SIZE)} offset ${offset})
    select cards.*, total.found from total left join (
      select page.at, ${source.columns} from page ${source.joinPage(viewer.id)}
    ) cards on true
    order by cards.at desc, cards.id desc`.execute(db)
  return toListed(source, rows, viewer)
}

/** The items of a page as the answer, their total in a header. */
export function withTotal<Card>(context: CallContext, { items, total }: Listed<Card>): Card[] {
  context.setHeader('x-total-count', String(total))
  return items
}

/** A page as our own lists show it: beyond the last page it is the last one. `list` gives a page, `count` the chips. */
export async function browse<Card, Counts>(
  asked: number,
  list: (page: number) => Promise<Listed<Card>>,
  count: () => Promise<Counts>,
) {
  const [first, chips] = await Promise.all([list(asked), count()])
  const pages = pagesOf(first.total)
  const beyond = asked > pages
  const { items, total, more } = beyond ? await list(pages) : first
  return { items, total, more, page: beyond ? pages : asked, pages, beyond, counts: chips }
}
