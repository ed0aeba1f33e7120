/** SQL of likes; the only place that writes their tables. */
import { sql } from 'kysely'
import type { ItemKind } from '#contract/points.schemas.ts'
import { compileOnce } from '#server/db/compiled.ts'
import { likedCte, lockedItemCte } from '#server/items/counters.ts'
import { TABLES } from '#server/items/tables.ts'

/** What came of an attempt to like. */
export interface Attempt {
  /** Null: there is no such item. */
  readonly ownerId: string | null
  /** Of the item after it; null when nothing changed. */
  readonly likes: number | null
}

type Values = { userId: string; itemId: number; at: Date }

/** The like and the number in one statement; the item is locked first, so that no two count the same number up. */
function insertInto(kind: ItemKind) {
  const { likes, id } = TABLES[kind]
  return compileOnce<Values, Attempt>(['userId', 'itemId', 'at'], (db, { userId, itemId, at }) =>
    sql<Attempt>`with ${lockedItemCte(kind, itemId)}, liking as (
      insert into ${sql.raw(likes)} (user_id, ${sql.raw(id)}, created_at)
      select ${userId}::uuid, item.id, ${at}::timestamptz from item where item.owner_id <> ${userId}::uuid
      on conflict do nothing returning ${sql.raw(id)}
    ), ${likedCte(kind)}
    select (select owner_id from item) as "ownerId", (select likes from liked) as likes`.compile(
      db,
    ),
  )
}

/** Likes an item of a kind for `userId` at `at`; one row, of which Attempt says what came of it. */
export const insertLike = { lesson: insertInto('lesson'), course: insertInto('course') } as const
