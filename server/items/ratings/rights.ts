/**
 * Checks whether a person may rate an item. The item is locked, so that the right can't end before the rating is
 * written.
 */
import { sql, type RawBuilder } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import type { Entitlement } from '#server/items/shared/access.ts'
import { entitlementColumns, isReadable } from '#server/items/shared/entitlement.ts'
import { TABLES } from '#server/items/shared/tables.ts'

export interface Rater extends Entitlement {
  /** They opened the article or video, or that of one of the course's lessons, after they got access. */
  readonly opened: boolean
}

/** Condition on the alias of a row of progress. */
const wasThere = sql`(seen.opened or seen.furthest > 0)`

/**
 * Locks an item that exists or remains for its buyers until the transaction ends, so that nobody else writes its
 * ratings. Returns false if there is none.
 */
export async function lockItem(tx: Tx, kind: ItemKind, id: number): Promise<boolean> {
  const alias = TABLES[kind].alias
  const { rows } = await sql`
    select from ${sql.raw(TABLES[kind].narrow)} ${sql.raw(alias)}
    where ${sql.raw(alias)}.id = ${id} and ${isReadable(alias)} for no key update`.execute(tx)
  return rows.length > 0
}

/**
 * Returns a person's relation to a locked item, in a separate statement. If the right ends concurrently, this
 * statement sees that, or the rating is written before the job that removes it (leaving.ts) gets the lock.
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

/** Columns of an Entitlement to `k` (courses). A null `userId` is a guest. */
export function courseEntitlement(userId: string | null): RawBuilder<unknown> {
  return sql`k.owner_id as "ownerId", k.kept_for_buyers as "leftToBuyers", exists (
    select from course_purchases sale where sale.course_id = k.id and sale.user_id = ${userId}::uuid
  ) as bought`
}
