/** Paying buyers back: in batches, so that no transaction grows with the number of buyers. */
import type { Tx } from '#server/db/connect.ts'
import {
  addEntries,
  withdraw,
  type Change,
  type EntryCause,
  type EntryItem,
} from '#server/points/ledger.ts'
import { uncountShares } from '#server/purchases/author-shares.ts'
import { takeCoursePurchases } from '#server/purchases/course-store.ts'
import { takePurchases } from '#server/purchases/store.ts'
import { lockBalances } from '#server/removal/store.ts'

/** Refunds in one transaction. */
export const BATCH = 1000

/** What is taken from the purchases, and is still to be written into the ledger. */
export interface Refunds {
  readonly cause: Omit<EntryCause, 'at'> & { readonly item: EntryItem }
  readonly changes: readonly Change[]
  /** What the author of the item got of it, and gives back. */
  readonly share: {
    readonly ownerId: string
    readonly amount: number
    /** Which refunds these are, among others of the item. */
    readonly occurrence: string
  }
}

/** Whose item it is, and what it is called. */
export type OwnedItem = EntryItem & { readonly ownerId: string }

/** Takes back up to a batch of the purchases of a deleted, locked item; a full batch means there may be more. */
export async function takeRefunds(tx: Tx, { ownerId, ...item }: OwnedItem): Promise<Refunds> {
  const take = item.kind === 'lesson' ? takePurchases : takeCoursePurchases
  const undone = await take(tx, item.id, BATCH)
  const changes = undone.map(({ userId, price }) => ({ userId, amount: price }))
  // Each buyer stands in one batch only.
  const occurrence = undone[0]?.userId ?? ''
  const amount = sumOf(undone)
  return { cause: { reason: 'refunded', item }, changes, share: { ownerId, amount, occurrence } }
}

/** What the author of an item got of purchases, or parts of them. */
export function sumOf(parts: readonly { readonly share: number }[]): number {
  return parts.reduce((sum, { share }) => sum + share, 0)
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
    .map((each) => ({ ...each, changes: each.changes.filter(({ amount }) => amount > 0) }))
    .filter(({ changes, share }) => changes.length > 0 || share.amount > 0)
  const people = due.flatMap(({ changes, share }) => [
    share.ownerId,
    ...changes.map(({ userId }) => userId),
  ])
  if (people.length + alsoLock.length > 0) await lockBalances(tx, [...alsoLock, ...people])
  for (const { cause, changes, share } of due) {
    if (changes.length > 0) await addEntries(tx, { ...cause, at }, changes)
    if (share.amount > 0) await takeShare(tx, { cause, share }, at)
  }
}

/** Takes from the author what they got of purchases that were paid back; what they have spent becomes debt. */
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
