/** Recounts the numbers of cards, for a number that is new or a database that was repaired. */
import { sql } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { storedNumbers } from '#server/items/shared/number-sources.ts'
import { itemsOf, TABLES } from '#server/items/shared/tables.ts'

/** Items per transaction. It is small, because likes and comments wait for the locked items. */
const BATCH = 500

/**
 * Recounts all items of a kind in the order of their ids, while the site is in use. Recount lessons before
 * courses, whose comments are the sum of their lessons'. Returns the number of items that were wrong.
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
 * Calls `mend` for each batch of items that are living or left to their buyers, which are locked meanwhile.
 * Returns the sum of its results.
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
      // Every change of a number locks the item's row. The lock has a statement of its own, so that the next
      // statement sees what was committed while it waited.
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
