import { sql } from 'kysely'
import { returnFacts, type ReturnFacts } from '#server/items/shared/details/returnable.ts'
import { TABLES } from '#server/items/shared/tables.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import type { ItemRef } from '#server/platform/events/catalogue.ts'

/** Locks a person's purchase until the transaction ends. Returns false if there is none. */
export async function lockPurchase(
  tx: Tx,
  { kind, id }: ItemRef,
  userId: string,
): Promise<boolean> {
  const { purchases, id: key } = TABLES[kind]
  const { rows } = await sql`
    select from ${sql.table(purchases)} where user_id = ${userId} and ${sql.ref(key)} = ${id} for update`.execute(
    tx,
  )
  return rows.length > 0
}

export async function findReturnFacts(
  tx: Tx,
  { kind, id }: ItemRef,
  userId: string,
  now: Date,
): Promise<ReturnFacts | null> {
  const { rows } = await sql<{ facts: ReturnFacts | null }>`
    select ${returnFacts(kind, sql`${id}`, userId, now)} as facts`.execute(tx)
  return rows[0]?.facts ?? null
}
