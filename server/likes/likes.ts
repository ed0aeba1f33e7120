/** The verb: like. */
import type { MessageKey } from '#contract/messages/messages.ts'
import type { ItemKind } from '#contract/points.ts'
import type { Db } from '#server/db/connect.ts'
import type { Changes } from '#server/kernel/changes.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, notFound, type Refusal } from '#server/kernel/errors.ts'
import { createBatches } from '#server/kernel/queues/batches.ts'
import { insertLikes } from '#server/likes/store.ts'

const MISSING: Record<ItemKind, MessageKey> = {
  lesson: 'lessonNotFound',
  course: 'courseNotFound',
}
/** Likes of one batch. */
const MOST_TOGETHER = 200
/** Who waits longer, because somebody holds an item, no longer keeps the next batch from beginning. */
const PATIENCE_MS = 200

/** Who likes which item. */
export interface Liking {
  readonly userId: string
  readonly kind: ItemKind
  readonly itemId: number
}
interface Needs {
  readonly db: Db
  readonly clock: Clock
}
type Outcome = { readonly likes: number } | Refusal

/**
 * Answers a verb that likes an item, locked or open; that opens nothing. It answers the item's likes after it. Each
 * like holds its item until it is stored, so that of one item only so many a second can be; those that come while
 * others are being stored are stored together.
 * The verb throws Refusal 404 when there is no such item, 409 for one's own and for what one likes already: nothing
 * changed then.
 */
export function createLiker(
  needs: Needs & { readonly changes: Changes },
): (liking: Liking) => Promise<{ likes: number }> {
  const like = createBatches<Liking, Outcome>({
    most: MOST_TOGETHER,
    subjectOf: ({ userId, kind, itemId }) => `${userId} ${kind} ${itemId}`,
    patienceMs: PATIENCE_MS,
    work: async (asked) => {
      const outcomes = new Map<Liking, Promise<Outcome>>()
      for (const [first, ...others] of Map.groupBy(asked, keyOf).values()) {
        if (first === undefined) continue
        const together: readonly [Liking, ...Liking[]] = [first, ...others]
        const stored = likeTogether(needs, together)
        void stored.then((found) => publish(needs.changes, first, found), ignore)
        for (const [place, each] of together.entries())
          outcomes.set(
            each,
            stored.then((found) => found[place] ?? notFound(MISSING[each.kind])),
          )
      }
      // An item that fails or is held does so for its own likes alone.
      await Promise.allSettled(outcomes.values())
      return asked.map((each) => outcomes.get(each) ?? notFound(MISSING[each.kind]))
    },
  })
  return async (liking) => toAnswer(await like(liking))
}

/** The same for a single one, of which nobody is notified. @throws Refusal 404, 409 */
export async function like(needs: Needs, liking: Liking): Promise<{ likes: number }> {
  const [outcome = notFound(MISSING[liking.kind])] = await likeTogether(needs, [liking])
  return toAnswer(outcome)
}

function toAnswer(outcome: Outcome): { likes: number } {
  if (outcome instanceof Error) throw outcome
  return outcome
}

function publish(changes: Changes, { kind, itemId }: Liking, outcomes: readonly Outcome[]): void {
  if (outcomes.some((outcome) => !(outcome instanceof Error)))
    changes.publish({ kind: 'numbersChanged', items: [{ kind, id: itemId }] })
}

/** Whoever asked hears of it. */
const ignore = () => undefined

const keyOf = ({ kind, itemId }: Liking) => `${kind} ${itemId}`

/** Likes of different people for the one item of the first. */
async function likeTogether(
  { db, clock }: Needs,
  asked: readonly [Liking, ...Liking[]],
): Promise<Outcome[]> {
  const [{ kind, itemId }] = asked
  const userIds = asked.map(({ userId }) => userId)
  const [attempt] = await insertLikes[kind](db, { userIds, itemId, at: clock.now() })
  const { ownerId = null, likes = null, likers = [] } = attempt ?? {}
  const before = (likes ?? 0) - likers.length
  const places = new Map(likers.map((userId, place) => [userId, place]))
  return userIds.map((userId) => {
    if (ownerId === null) return notFound(MISSING[kind])
    if (ownerId === userId) return conflict('likeOwn')
    const place = places.get(userId)
    return place === undefined ? conflict('alreadyLiked') : { likes: before + place + 1 }
  })
}
