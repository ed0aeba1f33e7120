import type { Following } from '#contract/follows.ts'
import { MOST_FOLLOWED } from '#contract/limits.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { lock, lockName } from '#server/platform/db/locks.ts'
import {
  deleteCount,
  deleteFollow,
  forgetSome,
  insertFollow,
  readBefore,
  readFollowing,
} from '#server/items/follows/store.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, forbidden, notFound } from '#server/kernel/errors.ts'

/** Followers deleted per statement of an erasure. */
const BATCH = 1000

interface Needs {
  readonly db: Db
  readonly clock: Clock
}

/**
 * Follows a person. Does nothing if the viewer already does.
 * @throws Refusal 404 when the person doesn't exist, 403 when they have blocked the viewer, 409 for oneself, for a
 * person whom the viewer has blocked, and beyond the limit
 */
export function follow({ db, clock }: Needs, viewer: Viewer, authorId: string): Promise<Following> {
  const followerId = viewer.id
  if (authorId === followerId) throw conflict('followOneself')
  return db.transaction().execute(async (tx) => {
    // Serialises concurrent follows so that each counts the previous ones, and concurrent blocks so that they wait
    // or are seen.
    await lock(tx, lockName.follows(followerId))
    const before = await readBefore(tx, followerId, authorId)
    if (before === null) throw notFound('profileNotFound')
    if (before.blockedBy) throw forbidden('followRefused')
    if (before.blocks) throw conflict('followBlocked')
    if (!before.following && before.followed >= MOST_FOLLOWED)
      throw conflict('followsFull', { max: MOST_FOLLOWED })
    await insertFollow(tx, { followerId, authorId, at: clock.now() })
    return requireFollowing(tx, followerId, authorId)
  })
}

/** Unfollows a person. @throws Refusal 404 when the person doesn't exist */
export async function unfollow(db: Db, viewer: Viewer, authorId: string): Promise<Following> {
  await deleteFollow(db, viewer.id, authorId)
  return requireFollowing(db, viewer.id, authorId)
}

/**
 * Returns whether the viewer follows a person, and the number of followers.
 * @throws Refusal 404 when the person doesn't exist
 */
export async function requireFollowing(
  db: DbOrTx,
  viewerId: string,
  authorId: string,
): Promise<Following> {
  const found = await readFollowing(db, viewerId, authorId)
  if (found === null) throw notFound('profileNotFound')
  return found
}

/** Ends follows in both directions. Call it before a block is stored. */
export async function endFollowsBetween(tx: Tx, one: string, other: string): Promise<void> {
  await lock(tx, lockName.follows(one), lockName.follows(other))
  await deleteFollow(tx, one, other)
  await deleteFollow(tx, other, one)
}

/** For an erased account, removes follows in both directions. */
export async function forgetFollows(db: Db, userId: string): Promise<void> {
  while (!(await forgetSome(db, userId, BATCH)));
  await deleteCount(db, userId)
}
