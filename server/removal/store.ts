/** What a removal reads and locks across folders; it writes no table itself. */
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '#server/db/connect.ts'

/** What deleting a lesson would undo. Amounts are KB Points. */
export interface Consequences {
  readonly ownerId: string
  readonly buyers: number
  /** What the buyers get back together. */
  readonly refund: number
  /** What the owner gives back. */
  readonly reward: number
  /** The owner's balance before it; may be negative. */
  readonly net: number
}

export async function findConsequences(db: DbOrTx, lessonId: number): Promise<Consequences | null> {
  const { rows } = await sql<Consequences>`
    select l.owner_id as "ownerId", sold.buyers, sold.refund,
      coalesce((select r.amount from lesson_rewards r where r.lesson_id = l.id), 0) as reward,
      coalesce((select b.net from point_balances b where b.user_id = l.owner_id), 0) as net
    from lessons l, lateral (
      select count(*) as buyers, coalesce(sum(p.price), 0)::bigint as refund from lesson_purchases p where p.lesson_id = l.id
    ) sold
    where l.id = ${lessonId} and l.deleted_at is null`.execute(db)
  return rows[0] ?? null
}

/** Locks many balances in the order of their persons' ids, so that two removals never wait for each other. */
export async function lockBalances(tx: Tx, people: readonly string[]): Promise<void> {
  await tx
    .selectFrom('point_balances')
    .select('user_id')
    .where('user_id', '=', sql<string>`any(${people}::uuid[])`)
    .orderBy('user_id')
    .forUpdate()
    .execute()
}
