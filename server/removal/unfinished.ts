/** Removals with more buyers than one transaction pays back. */
import type { Db, Tx } from '#server/db/connect.ts'
import { jobKind, NoPayload } from '#server/jobs/job.ts'
import { addJobLater } from '#server/jobs/queue.ts'
import { findRefundsDue, finishRefunds, lockRefundsDue } from '#server/items/endings.ts'
import type { Core } from '#server/kernel/core.ts'
import type { ItemKind } from '#contract/points.ts'
import { BATCH, giveBack, takeRefunds, type Refunds } from '#server/removal/refunds.ts'
import { findSharesDue, takeShares, type DueShare } from '#server/removal/shares.ts'

/** Runs every minute, and at once when a removal has left something to it. */
export const CONTINUE_REMOVALS = jobKind('continueRemovals', NoPayload)

/** Begins it as soon as the removal's transaction has committed, when that has paid back as many as it may. */
export async function continueSoon(tx: Tx, paidBack: readonly Refunds[]): Promise<void> {
  const count = paidBack.reduce((sum, { changes }) => sum + changes.length, 0)
  if (count >= BATCH) await addJobLater(tx, CONTINUE_REMOVALS, {}, { key: 'continue removals' })
}

/**
 * Goes on with the refunds of what was deleted, batch by batch, wherever it was interrupted; several nodes may
 * call it at once. Answers how many removals it brought to an end.
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

/** A transaction for each batch, until one says that there is nothing more. */
async function repeat(db: Db, batch: (tx: Tx) => Promise<boolean>): Promise<void> {
  while (await db.transaction().execute(batch));
}

/** True when there may be more. */
async function refundSome(tx: Tx, at: Date, kind: ItemKind, id: number): Promise<boolean> {
  const item = await lockRefundsDue(tx, kind, id)
  if (item === null) return false
  const refunds = await takeRefunds(tx, { kind, id, ...item })
  await giveBack(tx, [refunds], at)
  const more = refunds.changes.length === BATCH
  if (!more) await finishRefunds(tx, kind, id)
  return more
}

/** True when there may be more. */
async function shareSome(tx: Tx, at: Date, due: DueShare): Promise<boolean> {
  const refunds = await takeShares(tx, due)
  if (refunds === null) return false
  await giveBack(tx, [refunds], at)
  return refunds.changes.length === BATCH
}
