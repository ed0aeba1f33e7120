/** Completes removals with more buyers than one transaction refunds. */
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { jobKind, NoPayload } from '#server/platform/jobs/job.ts'
import { addJobLater } from '#server/platform/jobs/queue.ts'
import { findRefundsDue, finishRefunds, lockRefundsDue } from '#server/items/shared/endings.ts'
import type { Core } from '#server/platform/core/core.ts'
import type { ItemKind } from '#contract/points.ts'
import { BATCH, giveBack, takeRefunds, type Refunds } from '#server/items/purchases/refunds.ts'
import { findSharesDue, takeShares, type DueShare } from '#server/operate/removal/shares.ts'

/** Runs every minute, and immediately after a removal with refunds left. */
export const CONTINUE_REMOVALS = jobKind('continueRemovals', NoPayload)

/** Starts the job when the transaction commits, if that has reached its limit of refunds. */
export async function continueSoon(tx: Tx, paidBack: readonly Refunds[]): Promise<void> {
  const count = paidBack.reduce((sum, { changes }) => sum + changes.length, 0)
  if (count >= BATCH) await addJobLater(tx, CONTINUE_REMOVALS, {}, { key: 'continue removals' })
}

/**
 * Continues the refunds of deleted items in batches, after any interruption and on several nodes at once. Returns
 * the number of removals that it finished.
 */
export async function continueRemovals({ db, clock }: Pick<Core, 'db' | 'clock'>): Promise<number> {
  const [lessons, courses, shares] = await Promise.all([
    findRefundsDue(db, 'lesson'),
    findRefundsDue(db, 'course'),
    findSharesDue(db),
  ])
  for (const id of lessons) await repeat(db, (tx) => refundSome(tx, clock.now(), 'lesson', id))
  for (const id of courses) await repeat(db, (tx) => refundSome(tx, clock.now(), 'course', id))
  for (const due of shares) await repeat(db, (tx) => shareSome(tx, clock.now(), due))
  return lessons.length + courses.length + shares.length
}

/** Runs each batch in its own transaction until one reports that nothing is left. */
async function repeat(db: Db, batch: (tx: Tx) => Promise<boolean>): Promise<void> {
  while (await db.transaction().execute(batch));
}

/** Returns true if there may be more. */
async function refundSome(tx: Tx, at: Date, kind: ItemKind, id: number): Promise<boolean> {
  const item = await lockRefundsDue(tx, kind, id)
  if (item === null) return false
  const refunds = await takeRefunds(tx, { kind, id, ...item })
  await giveBack(tx, [refunds], at)
  const more = refunds.changes.length === BATCH
  if (!more) await finishRefunds(tx, kind, id)
  return more
}

/** Returns true if there may be more. */
async function shareSome(tx: Tx, at: Date, due: DueShare): Promise<boolean> {
  const refunds = await takeShares(tx, due)
  if (refunds === null) return false
  await giveBack(tx, [refunds], at)
  return refunds.changes.length === BATCH
}
