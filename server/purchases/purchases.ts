/** The verb: buyLesson. */
import type { Db } from '#server/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, notFound, Refusal } from '#server/kernel/errors.ts'
import { toBalance } from '#server/points/ledger.ts'
import { hasBought, insertPurchase } from '#server/purchases/store.ts'

/**
 * Buys a lesson with the viewer's points; answers their kbPoints after it.
 * @throws Refusal 404 when there is none, 409 for what is theirs anyway, 400 when the points don't suffice
 */
export async function buyLesson(
  { db, clock }: { db: Db; clock: Clock },
  viewer: Viewer,
  lessonId: number,
): Promise<{ kbPoints: number }> {
  if (viewer.role === 'administrator') throw conflict('administratorsSeeAll')
  const { ownerId, netAfter } = await insertPurchase(db, viewer.id, lessonId, clock.now())
  if (netAfter !== null) return { kbPoints: toBalance(netAfter).kbPoints }
  if (ownerId === null) throw notFound('lessonNotFound')
  if (ownerId === viewer.id) throw conflict('ownItem')
  // Asked only now: the sale itself looks at nothing that another sale may be changing.
  if (await hasBought(db, viewer.id, lessonId)) throw conflict('alreadyBought')
  throw new Refusal(400, 'notEnoughPoints')
}
