/** SQL of likes; the only place that writes their tables. */
import { sql } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import { arrayOf, compileOnce } from '#server/db/compiled.ts'
import { likedCte, lockedItemCte } from '#server/items/counters.ts'
import { TABLES } from '#server/items/tables.ts'
import { happened } from '#server/notices/happening.ts'

/** What came of an attempt to like. */
export interface Attempt {
  /** Null: there is no such item. */
  readonly ownerId: string | null
  /** Of the item after all of them; null when nothing changed. */
  readonly likes: number | null
  /** Whose likes are new, in the order in which they were asked for. */
  readonly likers: readonly string[]
}

type Values = { userIds: readonly string[]; itemId: number; at: Date }

/** The likes and the number in one statement; the item is locked first, so that no two count the same number up. */
function insertInto(kind: ItemKind) {
  const { likes, id } = TABLES[kind]
  return compileOnce<Values, Attempt>(['userIds', 'itemId', 'at'], (db, { userIds, itemId, at }) =>
    sql<Attempt>`with ${lockedItemCte(kind, itemId)}, asked as materialized (
      select user_id, place from unnest(${arrayOf('uuid', userIds)}) with ordinality given (user_id, place)
    ), liking as (
      insert into ${sql.raw(likes)} (user_id, ${sql.raw(id)}, created_at)
      select asked.user_id, item.id, ${at}::timestamptz from item, asked where item.owner_id <> asked.user_id
      order by asked.place
      on conflict do nothing returning user_id, ${sql.raw(id)}
    ), ${likedCte(kind)}, told as (${happened({
      kind: 'liked',
      person: sql`item.owner_id`,
      actors: sql`newly.people`,
      item: { kind, id: sql`item.id` },
      at,
      from: sql`item, (select array_agg(user_id) as people from liking) newly where newly.people is not null`,
    })})
    select (select owner_id from item) as "ownerId", (select likes from liked) as likes,
      array(select liking.user_id from liking join asked using (user_id) order by asked.place) as likers`.compile(
      db,
    ),
  )
}

/** Likes an item of a kind for different people at `at`; one row, of which Attempt says what came of it. */
export const insertLikes = { lesson: insertInto('lesson'), course: insertInto('course') } as const
