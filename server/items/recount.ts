/** Counts the numbers of cards again from what they count: for a number that is new, and for a database that was mended. */
import { sql } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { storedNumbers } from '#server/items/number-sources.ts'
import { itemsOf, TABLES } from '#server/items/tables.ts'

/** Items in one transaction: nobody waits for long who likes or comments on one of them. */
const BATCH = 500

/**
 * Goes through all items of a kind, in the order of their ids, and may run while everything else does. Lessons come
 * before courses, whose comments are the sum of their lessons'. Answers how many items had a number that was wrong.
 */
export function recountNumbers(db: Db, kind: ItemKind): Promise<number> {
  return mendItems(db, kind, async (tx, ids) => {
    const numbers = storedNumbers(kind).flatMap(({ column, counted }) =>
      counted === null ? [] : [{ column: sql.ref(column), counted }],
    )
    const isWrong = numbers.map(({ column }) => sql`stored.${column} <> true_of.${column}`)
    const { numAffectedRows } = await sql`
      update ${sql.table(TABLES[kind].narrow)} stored
      set ${sql.join(numbers.map(({ column }) => sql`${column} = true_of.${column}`))}
      from (
        select i.id, ${sql.join(numbers.map(({ column, counted }) => sql`${counted} as ${column}`))}
        from ${itemsOf(kind)} where i.id = any(${ids}::bigint[])
      ) true_of
      where stored.id = true_of.id and stored.id = any(${ids}::bigint[]) and (${sql.join(isWrong, sql` or `)})`.execute(
      tx,
    )
    return Number(numAffectedRows ?? 0)
  })
}

/**
 * Calls `mend` with the ids of all items of a kind that are there or left to their buyers, batch by batch; they are
 * locked meanwhile. Answers the sum of what it answers.
 */
export async function mendItems(
  db: Db,
  kind: ItemKind,
  mend: (tx: Tx, ids: readonly number[]) => Promise<number>,
): Promise<number> {
  let mended = 0
  let after: number | undefined = 0
  while (after !== undefined) {
    const from: number = after
    const batch = await db.transaction().execute(async (tx) => {
      // Whoever moves a number has the item's row locked. It is locked by a statement of its own, so that the next one
      // sees what was committed while this one waited.
      const { rows } = await sql<{ id: number }>`
        select i.id from ${itemsOf(kind)} where i.id > ${from} and (i.deleted_at is null or i.kept_for_buyers)
        order by i.id limit ${sql.lit(BATCH)} for no key update`.execute(tx)
      const ids = rows.map(({ id }) => id)
      return { mended: await mend(tx, ids), last: ids.at(-1) }
    })
    mended += batch.mended
    after = batch.last
  }
  return mended
}
