/** The verbs: buyLesson, buyCourse. */
import type { MessageKey } from '#contract/messages/messages.ts'
import type { Db } from '#server/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, notFound, Refusal } from '#server/kernel/errors.ts'
import { toBalance } from '#server/points/ledger.ts'
import { hasBoughtCourse, insertCoursePurchase } from '#server/purchases/course-store.ts'
import { hasBought, insertPurchase, type Attempt } from '#server/purchases/store.ts'

interface BuyNeeds {
  readonly db: Db
  readonly clock: Clock
}

/**
 * Buys a lesson with the viewer's points; answers their kbPoints after it.
 * @throws Refusal 404 when there is none, 409 for what is theirs anyway, 400 when the points don't suffice
 */
export async function buyLesson(
  { db, clock }: BuyNeeds,
  viewer: Viewer,
  lessonId: number,
): Promise<{ kbPoints: number }> {
  if (viewer.role === 'administrator') throw conflict('administratorsSeeAll')
  const attempt = await insertPurchase(db, viewer.id, lessonId, clock.now())
  return toAnswer(attempt, viewer, {
    missing: 'lessonNotFound',
    // Asked only now: the sale itself looks at nothing that another sale may be changing.
    isBought: async () => attempt.held || hasBought(db, viewer.id, lessonId),
  })
}

/**
 * Buys a course with the viewer's points: from now on its lessons are open to them everywhere. Answers their
 * kbPoints after it.
 * @throws Refusal 404 when there is none, 409 for what is theirs anyway, 400 when the points don't suffice
 */
export async function buyCourse(
  { db, clock }: BuyNeeds,
  viewer: Viewer,
  courseId: number,
): Promise<{ kbPoints: number }> {
  if (viewer.role === 'administrator') throw conflict('administratorsSeeAll')
  return toAnswer(await insertCoursePurchase(db, viewer.id, courseId, clock.now()), viewer, {
    missing: 'courseNotFound',
    isBought: () => hasBoughtCourse(db, viewer.id, courseId),
  })
}

async function toAnswer(
  { ownerId, netAfter }: Attempt,
  viewer: Viewer,
  { missing, isBought }: { missing: MessageKey; isBought: () => Promise<boolean> },
): Promise<{ kbPoints: number }> {
  if (netAfter !== null) return { kbPoints: toBalance(netAfter).kbPoints }
  if (ownerId === null) throw notFound(missing)
  if (ownerId === viewer.id) throw conflict('ownItem')
  if (await isBought()) throw conflict('alreadyBought')
  throw new Refusal(400, 'notEnoughPoints')
}
