/** Whether somebody may rate an item: asked with the item locked, so that no right ends before the rating stands. */
import { sql, type RawBuilder } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import type { Tx } from '#server/db/connect.ts'
import type { Entitlement } from '#server/items/access.ts'
import { entitlementColumns, isReadable } from '#server/items/entitlement.ts'
import { TABLES } from '#server/items/tables.ts'

/** What an item is to somebody who wants to rate it. */
export interface Rater extends Entitlement {
  /** They were at it since: at its article or video, of a course at those of one of its lessons. */
  readonly opened: boolean
}

/** On the alias of a row of progress. */
const wasThere = sql`(seen.opened or seen.furthest > 0)`

/**
 * Locks an item that is there or left to its buyers until the transaction ends: of its ratings nobody else writes any
 * meanwhile. False: there is none.
 */
export async function lockItem(tx: Tx, kind: ItemKind, id: number): Promise<boolean> {
  const alias = TABLES[kind].alias
  const { rows } = await sql`
    select from ${sql.raw(TABLES[kind].narrow)} ${sql.raw(alias)}
    where ${sql.raw(alias)}.id = ${id} and ${isReadable(alias)} for no key update`.execute(tx)
  return rows.length > 0
}

/**
 * What a locked item is to a person, asked by a statement of its own. A right that ends at the same moment is no right
 * any more, or the rating stands before what takes it away (leaving.ts) has the lock of the item.
 */
export async function findRater(
  tx: Tx,
  kind: ItemKind,
  id: number,
  userId: string,
): Promise<Rater | null> {
  const { rows } = await sql<Rater>`${RATER[kind](id, userId)}`.execute(tx)
  return rows[0] ?? null
}

const RATER: Readonly<Record<ItemKind, (id: number, userId: string) => RawBuilder<Rater>>> = {
  lesson: (id, userId) => sql<Rater>`
    select ${entitlementColumns(userId)}, exists (
      select from lesson_progress seen
      where seen.user_id = ${userId} and seen.lesson_id = l.id and ${wasThere}
    ) as opened
    from lessons l where l.id = ${id} and ${isReadable('l')}`,
  course: (id, userId) => sql<Rater>`
    select ${courseEntitlement(userId)}, exists (
      select from lesson_progress seen
      where seen.user_id = ${userId} and ${wasThere} and seen.lesson_id = any(array(
        select held.lesson_id from course_lessons held where held.course_id = k.id
        union all select held.lesson_id from course_kept_lessons held where held.course_id = k.id
      ))
    ) as opened
    from courses k where k.id = ${id} and ${isReadable('k')}`,
}

/** Columns that make an Entitlement of `k` (courses); `userId` null: a guest. */
export function courseEntitlement(userId: string | null): RawBuilder<unknown> {
  return sql`k.owner_id as "ownerId", k.kept_for_buyers as "leftToBuyers", exists (
    select from course_purchases sale where sale.course_id = k.id and sale.user_id = ${userId}::uuid
  ) as bought`
}
