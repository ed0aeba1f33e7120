/** The verb that buys, for lessons and courses. */
import pg from 'pg'
import type { ItemKind } from '#contract/points.ts'
import type { Db } from '#server/db/connect.ts'
import { PATIENCE_MS, togetherOrApart } from '#server/db/together.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Events } from '#server/kernel/events.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import { conflict, notFound, Refusal } from '#server/kernel/errors.ts'
import { createBatches } from '#server/kernel/queues/batches.ts'
import { toBalance } from '#server/points/ledger.ts'
import { hasBoughtCourse, sellCourses } from '#server/purchases/course-store.ts'
import type { Attempt, Buying, Terms } from '#server/purchases/selling.ts'
import { hasBought, sellLessons } from '#server/purchases/store.ts'

/** What buying needs of the core. */
export interface BuyNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly events: Events
  readonly config: Pick<Config, 'AUTHOR_SHARE'>
}

/** Buys an item with the viewer's points; answers their kbPoints after it. */
export type Buy = (viewer: Viewer, itemId: number) => Promise<{ kbPoints: number }>

/** Purchases of one statement: some milliseconds of the database. */
const MOST_TOGETHER = 50

const KINDS = {
  lesson: {
    sold: 'lesson.sold',
    sell: sellLessons,
    hasBought,
    missing: 'lessonNotFound',
  },
  course: {
    sold: 'course.sold',
    sell: sellCourses,
    hasBought: hasBoughtCourse,
    missing: 'courseNotFound',
  },
} as const

/**
 * Answers the verb that buys lessons, or courses: from then on all lessons of a course are open to them everywhere.
 * Purchases that come while others are being stored are stored together, by one statement with one commit; of one
 * person there is one in it. Each is stored when it is answered, and refused for itself.
 * The verb throws Refusal 404 when there is no such item, 409 for what is theirs anyway, 400 when the points don't
 * suffice.
 */
export function createBuyer(needs: BuyNeeds, kind: ItemKind): Buy {
  const sell = createBatches<Buying, Attempt>({
    most: MOST_TOGETHER,
    subjectOf: ({ userId }) => userId,
    patienceMs: PATIENCE_MS,
    work: (buyings) => sellAll(needs, kind, buyings),
  })
  return (viewer, itemId) => buy(needs, kind, { viewer, itemId }, sell)
}

/** The same for a single one. @throws Refusal 404, 409, 400 */
export function buyLesson(
  needs: BuyNeeds,
  viewer: Viewer,
  lessonId: number,
): Promise<{ kbPoints: number }> {
  return buy(needs, 'lesson', { viewer, itemId: lessonId }, (one) => sellOne(needs, 'lesson', one))
}

/** The same for a single one. @throws Refusal 404, 409, 400 */
export function buyCourse(
  needs: BuyNeeds,
  viewer: Viewer,
  courseId: number,
): Promise<{ kbPoints: number }> {
  return buy(needs, 'course', { viewer, itemId: courseId }, (one) => sellOne(needs, 'course', one))
}

async function buy(
  { db }: BuyNeeds,
  kind: ItemKind,
  { viewer, itemId }: { readonly viewer: Viewer; readonly itemId: number },
  sell: (one: Buying) => Promise<Attempt>,
): Promise<{ kbPoints: number }> {
  if (viewer.role === 'administrator') throw conflict('administratorsSeeAll')
  let attempt: Attempt
  try {
    attempt = await sell({ userId: viewer.id, itemId })
  } catch (error) {
    // The same purchase was made at the same moment; this one changed nothing.
    if (isDuplicate(error)) throw conflict('alreadyBought')
    throw error
  }
  const { ownerId, netAfter, held } = attempt
  if (netAfter !== null) return { kbPoints: toBalance(netAfter).kbPoints }
  if (ownerId === null) throw notFound(KINDS[kind].missing)
  if (ownerId === viewer.id) throw conflict('ownItem')
  // Asked only now: the sale itself looks at nothing that another sale may be changing.
  if (held || (await KINDS[kind].hasBought(db, viewer.id, itemId))) throw conflict('alreadyBought')
  throw new Refusal(400, 'notEnoughPoints')
}

/** One statement, as long as no other program is told of it; else a transaction with what it is told, for each. */
async function sellAll(
  needs: BuyNeeds,
  kind: ItemKind,
  buyings: readonly Buying[],
): Promise<readonly (Attempt | Promise<Attempt>)[]> {
  if (await needs.events.isWanted(needs.db, KINDS[kind].sold))
    return buyings.map((one) => sellTold(needs, kind, one))
  return togetherOrApart(
    buyings,
    (some, patienceMs) => KINDS[kind].sell(needs.db, some, termsOf(needs, patienceMs)),
    ({ itemId }) => itemId,
  )
}

async function sellOne(needs: BuyNeeds, kind: ItemKind, one: Buying): Promise<Attempt> {
  const [attempt] = await sellAll(needs, kind, [one])
  return attempt ?? NO_ITEM
}

const NO_ITEM: Attempt = { ownerId: null, netAfter: null, held: false }

function sellTold(needs: BuyNeeds, kind: ItemKind, one: Buying): Promise<Attempt> {
  return needs.db.transaction().execute(async (tx) => {
    const terms = termsOf(needs, null)
    const [attempt = NO_ITEM] = await KINDS[kind].sell(tx, [one], terms)
    const { userId: buyerId, itemId } = one
    if (attempt.netAfter !== null)
      await needs.events.record(tx, {
        type: KINDS[kind].sold,
        ids: [itemId],
        buyerId,
        at: terms.at,
      })
    return attempt
  })
}

function termsOf({ config, clock }: BuyNeeds, patienceMs: number | null): Terms {
  return { percent: config.AUTHOR_SHARE, at: clock.now(), patienceMs }
}

/** What PostgreSQL says where a key is there already. */
function isDuplicate(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505'
}
