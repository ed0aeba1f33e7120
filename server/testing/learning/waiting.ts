import { sql } from 'kysely'
import { vi } from 'vitest'
import type { Db, Tx } from '#server/platform/db/connect.ts'

/** Returns the result of `act`, which must wait for a lock that `hold` takes. The lock is released once it waits. */
export async function whileHolding<Result>(
  db: Db,
  hold: (tx: Tx) => Promise<unknown>,
  act: () => Promise<Result>,
): Promise<Result> {
  // In an object, because the transaction would await a promise.
  const { acting } = await db.transaction().execute(async (tx) => {
    await hold(tx)
    const started = act()
    // Asks over the holding connection, because those who wait may have all the others.
    const isWaiting = async () => {
      await sql`select pg_stat_clear_snapshot()`.execute(tx)
      const { rows } = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(tx)
      return rows.length > 0
    }
    await vi.waitUntil(isWaiting, { timeout: 20_000 })
    return { acting: started }
  })
  return acting
}
