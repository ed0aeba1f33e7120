/** Titles while typing: those that begin with what is typed, then those that contain it, most liked first. */
import { sql, type RawBuilder } from 'kysely'
import { foldTerm } from '#contract/fold.ts'
import type { ItemKind } from '#contract/points.ts'
import { CUSTOM_PLAN, type Db } from '#server/db/connect.ts'
import { beginsWith } from '#server/db/folded-search.ts'
import { conditionsOf, orderOf, type Condition } from '#server/items/search.ts'
import { itemsOf } from '#server/items/tables.ts'

const MOST = sql.lit(8)
/** The most liked items, which are looked through before any index of titles is asked. */
const POPULAR = sql.lit(5000)
/** Finds that are laid beside them. Where there are more, and few of them popular, the eight are nearly the best. */
const LOOKED_UP = sql.lit(1000)

const bestFirst = sql`order by ${orderOf('likes', 'i')} limit ${MOST}`

/**
 * The ids of eight at most, nothing for nothing. One round trip, and bounded work whatever is typed: a walk along the likes until eight are
 * met would be long where the titles that are meant have few likes.
 */
export async function suggestTitles(db: Db, kind: ItemKind, typed: string): Promise<number[]> {
  const term = foldTerm(typed)
  if (term === '') return []
  const containing = { search: term, sort: 'likes' } as const
  const begins = beginsWith('i.title_folded', term)
  const contains = (way: 'looked up' | 'walked') =>
    sql<boolean>`${conditionsOf(kind, containing, way)} and not ${begins}`
  const { rows } = await sql<{ id: number }>`${CUSTOM_PLAN}
    with popular as materialized (
      -- nothing that stands outside the index of likes
      select i.id, i.likes, i.title_folded, null::timestamptz as deleted_at from ${itemsOf(kind)}
      where i.deleted_at is null order by ${orderOf('likes', 'i')} limit ${POPULAR}
    ),
    ${best(kind, 'first', { walked: begins, lookedUp: sql`i.deleted_at is null and ${begins}`, before: sql`0` })},
    ${best(kind, 'rest', {
      walked: contains('walked'),
      lookedUp: contains('looked up'),
      before: sql`(select count(*) from first)`,
    })},
    found as (
      select 1 as rank, first.* from first union all select 2, rest.* from rest
      order by rank, likes desc, id desc limit ${MOST}
    )
    select id from found order by rank, likes desc, id desc`.execute(db)
  return rows.map(({ id }) => id)
}

interface Sought {
  readonly walked: Condition
  readonly lookedUp: Condition
  /** How many stand before these. */
  readonly before: RawBuilder<unknown>
}

/** `name (id, likes)`: of the popular ones; where these are too few, of those that are looked up too. */
function best(
  kind: ItemKind,
  name: 'first' | 'rest',
  { walked, lookedUp, before }: Sought,
): RawBuilder<unknown> {
  const popular = sql.raw(`popular_${name}`)
  return sql`${popular} as materialized (
      select i.id, i.likes from popular i where ${before} < ${MOST} and ${walked} ${bestFirst}
    ), ${sql.raw(name)} as materialized (
      select i.id, i.likes from (
        select * from ${popular}
        union (
          select i.id, i.likes from ${itemsOf(kind)}
          where ${before} + (select count(*) from ${popular}) < ${MOST} and ${lookedUp} limit ${LOOKED_UP}
        )
      ) i ${bestFirst}
    )`
}
