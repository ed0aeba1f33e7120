import type { ItemKind } from '#contract/points.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, notFound, Refusal } from '#server/kernel/errors.ts'
import type { Current } from '#server/kernel/settings/site-settings.ts'
import { record } from '#server/platform/events/outbox.ts'
import { award, countReturns, lockBalances, spend } from '#server/people/points/ledger.ts'
import { addShare, findShareDue } from '#server/items/purchases/author-shares.ts'
import {
  hasBoughtCourse,
  insertCoursePurchase,
  lockCourseOnSale,
} from '#server/items/purchases/course-store.ts'
import { insertPurchase, isOpenToBuyer, lockLessonOnSale } from '#server/items/purchases/store.ts'

export interface BuyNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly settings: Current<'AUTHOR_SHARE'>
}

const KINDS = {
  lesson: {
    event: 'lesson.sold',
    missing: 'lessonNotFound',
    lock: lockLessonOnSale,
    isOpen: isOpenToBuyer,
    insert: insertPurchase,
  },
  course: {
    event: 'course.sold',
    missing: 'courseNotFound',
    lock: lockCourseOnSale,
    isOpen: hasBoughtCourse,
    insert: insertCoursePurchase,
  },
} as const

/**
 * Buys an item with the viewer's points and returns their new kbPoints. A bought course opens all its lessons.
 * Every transaction locks items before balances, and balances in the order of their ids, so that purchases,
 * refunds and deletions can't deadlock.
 * @throws Refusal 404 when there is no such item, 409 when the viewer has it already, 400 when the points don't
 * suffice
 */
export function buy(
  { db, clock, settings }: BuyNeeds,
  kind: ItemKind,
  viewer: Viewer,
  itemId: number,
): Promise<{ kbPoints: number }> {
  const { event, missing, lock, isOpen, insert } = KINDS[kind]
  if (viewer.role === 'administrator') throw conflict('administratorsSeeAll')
  const userId = viewer.id
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const found = await lock(tx, itemId)
    if (found === null) throw notFound(missing)
    const { ownerId, price, title, videoGone } = found
    if (ownerId === userId) throw conflict('ownItem')
    const item = { kind, id: itemId, title }

    // An author without a share is not locked, so that most sales of a popular item don't wait for each other.
    const due = await findShareDue(tx, item, price, settings.current.AUTHOR_SHARE)
    const balances = await lockBalances(tx, due > 0 ? [userId, ownerId] : [userId])
    // Checked under the lock, which makes the purchases of one person run one at a time.
    if (await isOpen(tx, userId, itemId)) throw conflict('alreadyBought')
    if (videoGone === true) throw conflict('lessonVideoGone')

    const returns = await countReturns(tx, userId, item)
    const occurrence = returns === 0 ? '' : String(returns)
    const entry = { userId, amount: price, reason: 'bought', item, occurrence, at } as const
    const balance = await spend(tx, balances, entry)
    if (balance === null) throw new Refusal(400, 'notEnoughPoints')
    const share = due > 0 ? await addShare(tx, item, due) : 0
    if (share > 0)
      await award(tx, {
        userId: ownerId,
        amount: share,
        reason: 'share',
        item,
        occurrence: `${userId} ${occurrence}`.trimEnd(),
        at,
      })
    const withToken = viewer.scopes !== undefined
    await insert(tx, itemId, { userId, price, share, withToken, at })
    const sale = { item: { kind, id: itemId }, ownerId, buyerId: userId, price, share }
    await record(tx, { type: event, ...sale }, at)
    return { kbPoints: balance.kbPoints }
  })
}
