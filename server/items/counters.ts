/** Parts of statements that move a number of an item. Whoever moves one has locked the item's row before. */
import { sql, type RawBuilder } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import { TABLES } from '#server/items/tables.ts'

/** First part, to stand after `with`: `item (id, owner_id)`, the living item, locked; no row when there is none. */
export function lockedItemCte(kind: ItemKind, itemId: number): RawBuilder<unknown> {
  return sql`item as materialized (
    select id, owner_id from ${sql.raw(TABLES[kind].narrow)}
    where id = ${itemId} and deleted_at is null for no key update
  )`
}

/**
 * Last part of a statement that likes, to stand after `liking`, which has a row with the item's id for each like that
 * is new: `liked (likes)`, the number after them; no row without a like.
 */
export function likedCte(kind: ItemKind): RawBuilder<unknown> {
  const { narrow, id } = TABLES[kind]
  return sql`liked as (
    update ${sql.raw(narrow)} liked_item set likes = liked_item.likes + newly.count
    from (select ${sql.raw(id)}, count(*)::integer as count from liking group by ${sql.raw(id)}) newly
    where liked_item.id = newly.${sql.raw(id)} returning liked_item.likes
  )`
}
