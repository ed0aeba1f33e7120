/** Paying buyers back: in batches, so that no transaction grows with the number of buyers. */
import type { Tx } from '#server/db/connect.ts'
import { addEntries, type Change, type EntryCause, type EntryItem } from '#server/points/ledger.ts'
import { takeCoursePurchases } from '#server/purchases/course-store.ts'
import { takePurchases } from '#server/purchases/store.ts'
import { lockBalances } from '#server/removal/store.ts'

/** Refunds in one transaction. */
export const BATCH = 1000

/** What is taken from the purchases, and is still to be written into the ledger. */
export interface Refunds {
  readonly cause: Omit<EntryCause, 'at'>
  readonly changes: readonly Change[]
}

/** Takes back up to a batch of the purchases of a deleted, locked item; a full batch means there may be more. */
export async function takeRefunds(tx: Tx, item: EntryItem): Promise<Refunds> {
  const take = item.kind === 'lesson' ? takePurchases : takeCoursePurchases
  const undone = await take(tx, item.id, BATCH)
  const changes = undone.map(({ userId, price }) => ({ userId, amount: price }))
  return { cause: { reason: 'refunded', item }, changes }
}

/** Writes the refunds down, as of `at`. `alsoLock`: balances that the transaction changes after it. */
export async function giveBack(
  tx: Tx,
  refunds: readonly Refunds[],
  at: Date,
  alsoLock: readonly string[] = [],
): Promise<void> {
  // Paid back before, to the last point: nothing to write.
  const due = refunds
    .map(({ cause, changes }) => ({ cause, changes: changes.filter(({ amount }) => amount > 0) }))
    .filter(({ changes }) => changes.length > 0)
  const people = due.flatMap(({ changes }) => changes.map(({ userId }) => userId))
  if (people.length + alsoLock.length > 0) await lockBalances(tx, [...alsoLock, ...people])
  for (const { cause, changes } of due) await addEntries(tx, { ...cause, at }, changes)
}
