/** Suggestions while typing: titles that begin with what is typed, then those that contain it, most liked first. */
import { sql, type RawBuilder } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import type { Suggestion } from '#contract/search.ts'
import { PLANNED_AFRESH, type Db } from '#server/db/connect.ts'
import {
  beginsWith,
  conditionsOf,
  foldTerm,
  isShort,
  orderOf,
  type Condition,
} from '#server/lessons/search.ts'

const MOST = sql.lit(8)
/** Up to so many finds are gathered and sorted; where there are more, eight are met soon on a walk along the likes. */
const FEW = sql.lit(1000)
const MORE_THAN_FEW = sql.lit(1001)

const TABLES = {
  lesson: sql`select i.id, i.likes from lessons i`,
  course: sql`select i.id, i.likes from courses i`,
} as const
const TITLES = {
  lesson: sql`lesson_contents c on c.lesson_id = found.id`,
  course: sql`course_contents c on c.course_id = found.id`,
} as const

/** Nothing for nothing. One round trip. */
export async function suggestTitles(db: Db, kind: ItemKind, typed: string): Promise<Suggestion[]> {
  const term = foldTerm(typed)
  if (term === '') return []
  const containing = { search: term, sort: 'likes', likes: 0, comments: 0 } as const
  const begins = sql<boolean>`i.deleted_at is null and ${beginsWith(term)}`
  const others = sql<boolean>`(select count(*) from first) < ${MOST} and not ${beginsWith(term)}`
  const contains = (way: 'looked up' | 'walked') =>
    sql<boolean>`${conditionsOf(containing, way)} and ${others}`
  const table = TABLES[kind]
  const { rows } = await sql<Suggestion>`${PLANNED_AFRESH}
    with ${best(table, 'first', begins, begins)}, ${
      isShort(term)
        ? best(table, 'rest', contains('looked up'), contains('walked'))
        : sql`rest as (${table} where ${contains('walked')} ${order})`
    }, found as (
      select 1 as rank, first.* from first union all select 2, rest.* from rest
      order by rank, likes desc, id desc limit ${MOST}
    )
    select found.id, c.title from found join ${TITLES[kind]}
    order by found.rank, found.likes desc, found.id desc`.execute(db)
  return rows
}

const order = sql`order by ${orderOf('likes', 'i')} limit ${MOST}`

/** `name (id, likes)`: the most liked of what the conditions find. Only one of its two arms runs. */
function best(
  table: RawBuilder<unknown>,
  name: 'first' | 'rest',
  lookedUp: Condition,
  walked: Condition,
): RawBuilder<unknown> {
  const few = sql.raw(`few_${name}`)
  const isFew = sql`(select count(*) from ${few}) <= ${FEW}`
  return sql`${few} as materialized (${table} where ${lookedUp} limit ${MORE_THAN_FEW}),
    ${sql.raw(name)} as materialized (
      (select i.* from ${few} i where ${isFew} ${order})
      union all
      (${table} where not ${isFew} and ${walked} ${order})
    )`
}
