/** Unlocking on trust: a newcomer's first lesson may be paid with the first reward. */
import type { Db } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, notFound } from '#server/kernel/errors.ts'
import type { Current } from '#server/kernel/settings/site-settings.ts'
import { record } from '#server/platform/events/outbox.ts'
import { lockBalance, withdraw } from '#server/people/points/ledger.ts'
import { findTrustRefusal } from '#server/people/points/trust.ts'
import { findShareDue } from '#server/items/purchases/author-shares.ts'
import { insertPurchase, isOpenToBuyer, lockLessonOnSale } from '#server/items/purchases/store.ts'
import { insertTrustedShare } from '#server/items/purchases/trusted-shares.ts'

export interface TrustNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly settings: Current<'AUTHOR_SHARE' | 'LESSON_ON_TRUST'>
}

/**
 * Unlocks a lesson below zero for a viewer who never owned an item, and returns their kbPoints. The author's share
 * is due when the debt is repaid.
 * @throws Refusal 404 when there is no such lesson, and 409 when the viewer has it already or gets no trust
 */
export function unlockOnTrust(
  { db, clock, settings }: TrustNeeds,
  viewer: Viewer,
  lessonId: number,
): Promise<{ kbPoints: number }> {
  if (viewer.role === 'administrator') throw conflict('administratorsSeeAll')
  const { AUTHOR_SHARE, LESSON_ON_TRUST } = settings.current
  if (!LESSON_ON_TRUST) throw conflict('trustOff')
  const userId = viewer.id
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const found = await lockLessonOnSale(tx, lessonId)
    if (found === null) throw notFound('lessonNotFound')
    const { ownerId, price, title, videoGone } = found
    if (ownerId === userId) throw conflict('ownItem')
    const item = { kind: 'lesson', id: lessonId } as const

    const { kbPoints, debt } = await lockBalance(tx, userId)
    // Checked under the lock, so that of two requests, on one node or on two, one is granted.
    if (await isOpenToBuyer(tx, userId, lessonId)) throw conflict('alreadyBought')
    if (videoGone === true) throw conflict('lessonVideoGone')
    const refusal = await findTrustRefusal(tx, userId)
    if (refusal !== null) throw conflict(refusal)
    if (debt > 0) throw conflict('trustWithDebt')
    if (kbPoints >= price) throw conflict('trustNotNeeded')

    const entry = {
      userId,
      amount: price,
      reason: 'trusted',
      item: { ...item, title },
      at,
    } as const
    const balance = await withdraw(tx, entry)
    await insertPurchase(tx, lessonId, { userId, price, share: 0, withToken: false, at })
    const share = await findShareDue(tx, item, price, AUTHOR_SHARE)
    if (share > 0) await insertTrustedShare(tx, { userId, lessonId, share })
    const sale = { item, ownerId, buyerId: userId, price, share: 0 }
    await record(tx, { type: 'lesson.sold', ...sale }, at)
    return balance
  })
}
