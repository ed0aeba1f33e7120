/** Corrections of points by administrators. */
import { award, lockBalance } from '#server/people/points/ledger.ts'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'

export interface Correction {
  readonly userId: string
  readonly amount: number
  readonly reason: string
  /** Tells corrections of a person apart; with the same key, only the first one counts. */
  readonly key: string
  readonly at: Date
}

/** Returns the id of the new entry, or null if there is one with this key. */
export async function addCorrection(tx: Tx, correction: Correction): Promise<number | null> {
  const { userId, amount, reason: note, key: occurrence, at } = correction
  await lockBalance(tx, userId)
  if ((await findByKey(tx, userId, occurrence)) !== null) return null
  await award(tx, { userId, amount, reason: 'corrected', occurrence, note, at })
  return findByKey(tx, userId, occurrence)
}

async function findByKey(db: DbOrTx, userId: string, key: string): Promise<number | null> {
  const row = await correctionsOf(db, userId).where('occurrence', '=', key).executeTakeFirst()
  return row?.id ?? null
}

/** Returns the amount of a person's correction, or null. */
export async function findCorrection(
  db: DbOrTx,
  userId: string,
  entryId: number,
): Promise<number | null> {
  const row = await correctionsOf(db, userId).where('id', '=', entryId).executeTakeFirst()
  return row?.amount ?? null
}

const correctionsOf = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('point_entries')
    .select(['id', 'amount'])
    .where('user_id', '=', userId)
    .where('reason', '=', 'corrected')
