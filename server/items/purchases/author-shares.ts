/** SQL of the authors' shares of purchases. Only this file writes their table. */
import { sql, type RawBuilder } from 'kysely'
import { MOST_AUTHOR_SHARE } from '#contract/limits.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import type { ItemRef } from '#server/platform/events/catalogue.ts'

/** Selects copies of other people's lessons among these, except those that people decided to be none. */
const copiesAmong = (lessonIds: RawBuilder<unknown>) => sql`
  select from lesson_fingerprints copy
  join lessons original on original.id = copy.original_id and original.owner_id <> copy.author_id
  where copy.lesson_id in (${lessonIds}) and copy.gone_at is null and not exists (
    select from lesson_clearings c
    where c.lesson_id = copy.lesson_id and c.original_id = copy.original_id and c.overruled_at is null
  )`

/**
 * Returns the author's share of a purchase at `price`, limited to what is left for the item: nothing for copies, and
 * for courses that contain one. Ignores sales that are not committed yet; `addShare` includes them.
 */
export async function findShareDue(
  tx: Tx,
  { kind, id }: ItemRef,
  price: number,
  percent: number,
): Promise<number> {
  const due = Math.min(Math.floor((price * percent) / 100), MOST_AUTHOR_SHARE)
  if (due === 0) return 0
  const lessonIds =
    kind === 'lesson'
      ? sql`${id}::bigint`
      : sql`select lesson_id from course_lessons where course_id = ${id}`
  const { rows } = await sql<{ paid: number }>`
    select coalesce((select paid from author_shares where item_kind = ${kind} and item_id = ${id}), 0) as paid
    where not exists (${copiesAmong(lessonIds)})`.execute(tx)
  return rows[0] === undefined ? 0 : Math.min(due, MOST_AUTHOR_SHARE - rows[0].paid)
}

/** Adds a share to the item's total and returns the part of it that was still available. */
export async function addShare(tx: Tx, { kind, id }: ItemRef, due: number): Promise<number> {
  const left = sql`least(excluded.last, ${MOST_AUTHOR_SHARE} - s.paid)`
  const { rows } = await sql<{ share: number }>`
    insert into author_shares as s (item_kind, item_id, paid, last) values (${kind}, ${id}, ${due}, ${due})
    on conflict (item_kind, item_id) do update set paid = s.paid + ${left}, last = ${left}
    returning last as share`.execute(tx)
  return rows[0]?.share ?? 0
}

/** Subtracts shares that an author gave back. The item must be locked, so that nobody buys it meanwhile. */
export async function uncountShares(tx: Tx, item: ItemRef, amount: number): Promise<void> {
  await sql`
    update author_shares set paid = paid - ${amount}
    where item_kind = ${item.kind} and item_id = ${item.id}`.execute(tx)
}
