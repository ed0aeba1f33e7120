/** Refunds buyers, in batches when an item is deleted, so that transactions don't grow with their number. */
import type { Tx } from '#server/platform/db/connect.ts'
import {
  addEntries,
  lockBalances,
  withdraw,
  type Change,
  type EntryCause,
  type EntryItem,
} from '#server/people/points/ledger.ts'
import { uncountShares } from '#server/items/purchases/author-shares.ts'
import { takeCoursePurchases } from '#server/items/purchases/course-store.ts'
import { takePurchases } from '#server/items/purchases/store.ts'

/** Refunds per transaction. */
export const BATCH = 1000

/** Refunds deducted from the purchases but not yet in the ledger. */
export interface Refunds {
  readonly cause: Omit<EntryCause, 'at'> & { readonly item: EntryItem }
  readonly changes: readonly Change[]
  /** The author's share of them, which is taken back. */
  readonly share: {
    readonly ownerId: string
    readonly amount: number
    /** Identifies these refunds among others of the item. */
    readonly occurrence: string
  }
}

export type OwnedItem = EntryItem & { readonly ownerId: string }

/** Refunds up to one batch of purchases of a deleted, locked item. A full batch means that there may be more. */
export async function takeRefunds(tx: Tx, { ownerId, ...item }: OwnedItem): Promise<Refunds> {
  const take = item.kind === 'lesson' ? takePurchases : takeCoursePurchases
  const undone = await take(tx, item.id, BATCH)
  const changes = undone.map(({ userId, price }) => ({ userId, amount: price }))
  // Each buyer is in only one batch.
  const occurrence = undone[0]?.userId ?? ''
  const amount = sumOf(undone)
  return { cause: { reason: 'refunded', item }, changes, share: { ownerId, amount, occurrence } }
}

/** Sums up the author's shares. */
export function sumOf(parts: readonly { readonly share: number }[]): number {
  return parts.reduce((sum, { share }) => sum + share, 0)
}

/** Writes the refunds to the ledger as of `at`. `alsoLock` names balances that the transaction changes later. */
export async function giveBack(
  tx: Tx,
  refunds: readonly Refunds[],
  at: Date,
  alsoLock: readonly string[] = [],
): Promise<void> {
  // Purchases that were already refunded completely need no entry.
  const due = refunds
    .map((each) => ({ ...each, changes: each.changes.filter(({ amount }) => amount > 0) }))
    .filter(({ changes, share }) => changes.length > 0 || share.amount > 0)
  const people = due.flatMap(({ changes, share }) => [
    share.ownerId,
    ...changes.map(({ userId }) => userId),
  ])
  if (people.length + alsoLock.length > 0)
    await lockBalances(tx, [...new Set([...alsoLock, ...people])])
  for (const { cause, changes, share } of due) {
    if (changes.length > 0) await addEntries(tx, { ...cause, at }, changes)
    if (share.amount > 0) await takeShare(tx, { cause, share }, at)
  }
}

/** Takes back the author's share of refunded purchases. Points already spent become debt. */
async function takeShare(
  tx: Tx,
  { cause: { item, note }, share }: Pick<Refunds, 'cause' | 'share'>,
  at: Date,
): Promise<void> {
  const { ownerId: userId, amount, occurrence } = share
  const why = { reason: 'shareReturned', item, occurrence, at } as const
  await withdraw(tx, { ...why, userId, amount, ...(note !== undefined && { note }) })
  await uncountShares(tx, item, amount)
}
