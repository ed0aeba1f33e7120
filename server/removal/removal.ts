/** Deleting a lesson undoes it: its reward is taken back, its buyers get back what they paid. */
import type { Db, Tx } from '#server/db/connect.ts'
import { releaseUpload } from '#server/files/resources.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { notFound } from '#server/kernel/errors.ts'
import { requireReason, requireRight } from '#server/lessons/access.ts'
import {
  findRefundsDue,
  finishRefunds,
  lockLesson,
  lockRefundsDue,
  vanishLesson,
} from '#server/lessons/store.ts'
import { addEntries, award, balanceOf, toBalance, type EntryItem } from '#server/points/ledger.ts'
import { withdrawLessonReward } from '#server/points/rewards.ts'
import { takePurchases } from '#server/purchases/store.ts'
import { findConsequences, lockBalances } from '#server/removal/store.ts'

/** Refunds in one transaction. */
const BATCH = 1000

/** What the delete dialog tells: what goes back, and the owner's kbPoints and debt after it. @throws Refusal 404, 403 */
export async function previewRemoval(db: Db, viewer: Viewer, lessonId: number) {
  const found = await findConsequences(db, lessonId)
  if (found === null) throw notFound('lessonNotFound')
  requireRight('delete', viewer, found.ownerId)
  const { buyers, refund, reward, net } = found
  return { buyers, refund, reward, courses: [], ...toBalance(net - reward) }
}

export interface Removal {
  readonly lessonId: number
  /** Asked of an administrator; the owner sees it in the ledger. */
  readonly reason: string | undefined
}

/**
 * Deletes a lesson: gone for everybody at once, with up to 1,000 refunds; further ones are left to
 * `continueRemovals`. Answers the viewer's kbPoints.
 * @throws Refusal 404, 403, and 400 at `reason`
 */
export async function removeLesson(
  { db, clock }: { db: Db; clock: Clock },
  viewer: Viewer,
  { lessonId, reason }: Removal,
): Promise<{ kbPoints: number }> {
  return db.transaction().execute(async (tx) => {
    const lesson = await lockLesson(tx, lessonId)
    if (lesson === null) throw notFound('lessonNotFound')
    const { ownerId, title } = lesson
    requireRight('delete', viewer, ownerId)
    const note = requireReason(viewer, ownerId, reason)
    const item = { kind: 'lesson', id: lessonId, title } as const
    const refundsDue = await refundSome(tx, item, [ownerId])
    await withdrawLessonReward(tx, { lessonId, title })
    if (note !== undefined)
      await award(tx, { userId: ownerId, amount: 0, reason: 'deletedByAdministrator', item, note })
    await releaseUpload(tx, lessonId)
    await vanishLesson(tx, lessonId, { deletedAt: clock.now(), refundsDue })
    const { kbPoints } = await balanceOf(tx, viewer.id)
    return { kbPoints }
  })
}

/** Refunds a batch of a lesson's buyers; true when there may be more. `alsoLock`: balances that change after it. */
async function refundSome(
  tx: Tx,
  item: EntryItem,
  alsoLock: readonly string[] = [],
): Promise<boolean> {
  const undone = await takePurchases(tx, item.id, BATCH)
  const refunds = undone.map(({ userId, price }) => ({ userId, amount: price }))
  await lockBalances(tx, [...alsoLock, ...refunds.map((refund) => refund.userId)])
  if (refunds.length > 0) await addEntries(tx, { reason: 'refunded', item }, refunds)
  return undone.length === BATCH
}

/**
 * Goes on with the refunds of deleted lessons, batch by batch, wherever it was interrupted; several nodes may
 * call it at once. Answers how many lessons it brought to an end.
 */
export async function continueRemovals(db: Db): Promise<number> {
  const due = await findRefundsDue(db)
  for (const lessonId of due) {
    while (await db.transaction().execute((tx) => continueRemoval(tx, lessonId)));
  }
  return due.length
}

/** One batch; true when there may be more. */
async function continueRemoval(tx: Tx, lessonId: number): Promise<boolean> {
  const title = await lockRefundsDue(tx, lessonId)
  if (title === null) return false
  const more = await refundSome(tx, { kind: 'lesson', id: lessonId, title })
  if (!more) await finishRefunds(tx, lessonId)
  return more
}
