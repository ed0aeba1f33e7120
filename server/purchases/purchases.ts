/** The verbs: buyLesson, buyCourse. */
import pg from 'pg'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { Db, DbOrTx } from '#server/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Events, Happening } from '#server/kernel/events.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import { conflict, notFound, Refusal } from '#server/kernel/errors.ts'
import { toBalance } from '#server/points/ledger.ts'
import { hasBoughtCourse, insertCoursePurchase } from '#server/purchases/course-store.ts'
import { hasBought, insertPurchase, type Attempt, type Buying } from '#server/purchases/store.ts'

/** What buying needs of the core. */
export interface BuyNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly events: Events
  readonly config: Pick<Config, 'AUTHOR_SHARE'>
}

/**
 * Buys a lesson with the viewer's points; answers their kbPoints after it.
 * @throws Refusal 404 when there is none, 409 for what is theirs anyway, 400 when the points don't suffice
 */
export async function buyLesson(
  needs: BuyNeeds,
  viewer: Viewer,
  lessonId: number,
): Promise<{ kbPoints: number }> {
  if (viewer.role === 'administrator') throw conflict('administratorsSeeAll')
  const at = needs.clock.now()
  const sale = { type: 'lesson.sold', ids: [lessonId], buyerId: viewer.id, at } as const
  const buying = buyingOf(needs, viewer, lessonId, at)
  const attempt = await sell(needs, sale, (db) => insertPurchase(db, buying))
  return toAnswer(attempt, viewer, {
    missing: 'lessonNotFound',
    // Asked only now: the sale itself looks at nothing that another sale may be changing.
    isBought: async () => attempt.held || hasBought(needs.db, viewer.id, lessonId),
  })
}

/**
 * Buys a course with the viewer's points: from now on its lessons are open to them everywhere. Answers their
 * kbPoints after it.
 * @throws Refusal 404 when there is none, 409 for what is theirs anyway, 400 when the points don't suffice
 */
export async function buyCourse(
  needs: BuyNeeds,
  viewer: Viewer,
  courseId: number,
): Promise<{ kbPoints: number }> {
  if (viewer.role === 'administrator') throw conflict('administratorsSeeAll')
  const at = needs.clock.now()
  const sale = { type: 'course.sold', ids: [courseId], buyerId: viewer.id, at } as const
  const buying = buyingOf(needs, viewer, courseId, at)
  const attempt = await sell(needs, sale, (db) => insertCoursePurchase(db, buying))
  return toAnswer(attempt, viewer, {
    missing: 'courseNotFound',
    isBought: () => hasBoughtCourse(needs.db, viewer.id, courseId),
  })
}

function buyingOf({ config }: BuyNeeds, viewer: Viewer, itemId: number, at: Date): Buying {
  return { userId: viewer.id, itemId, percent: config.AUTHOR_SHARE, at }
}

/** One statement, as long as no other program is told of it; else a transaction with what it is told. */
async function sell<Came extends Attempt>(
  { db, events }: BuyNeeds,
  sale: Happening,
  buy: (db: DbOrTx) => Promise<Came>,
): Promise<Came> {
  try {
    if (!(await events.isWanted(db, sale.type))) return await buy(db)
    return await db.transaction().execute(async (tx) => {
      const attempt = await buy(tx)
      if (attempt.netAfter !== null) await events.record(tx, sale)
      return attempt
    })
  } catch (error) {
    // The same purchase was made at the same moment; this one changed nothing.
    if (isDuplicate(error)) throw conflict('alreadyBought')
    throw error
  }
}

/** What PostgreSQL says where a key is there already. */
function isDuplicate(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505'
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
