import type { Following } from '#contract/follows.ts'
import { MOST_FOLLOWED } from '#contract/limits.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { lock, lockName } from '#server/platform/db/locks.ts'
import {
  deleteCount,
  deleteFollow,
  deleteBatch,
  insertFollow,
  readFollowState,
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
 * @throws Refusal 404 when the person doesn't exist, 403 when that person has blocked the viewer, 409 for oneself,
 * for a person whom the viewer has blocked, and beyond the limit
 */
export function follow({ db, clock }: Needs, viewer: Viewer, authorId: string): Promise<Following> {
  const followerId = viewer.id
  if (authorId === followerId) throw conflict('followOneself')
  return db.transaction().execute(async (tx) => {
    // Serialises concurrent follows, so that each counts the previous ones. A concurrent block takes the same lock,
    // so it comes either before, and is seen, or after, and ends the follow.
    await lock(tx, lockName.follows(followerId))
    const before = await readFollowState(tx, followerId, authorId)
    if (before === null) throw notFound('profileNotFound')
    if (before.isBlocked) throw forbidden('followRefused')
    if (before.hasBlocked) throw conflict('followBlocked')
    if (!before.following && before.followed >= MOST_FOLLOWED)
      throw conflict('followsFull', { max: MOST_FOLLOWED })
    await insertFollow(tx, { followerId, authorId, at: clock.now() })
    return readFollowingOrThrow(tx, followerId, authorId)
  })
}

/** Unfollows a person. @throws Refusal 404 when the person doesn't exist */
export async function unfollow(db: Db, viewer: Viewer, authorId: string): Promise<Following> {
  await deleteFollow(db, viewer.id, authorId)
  return readFollowingOrThrow(db, viewer.id, authorId)
}

/**
 * Returns whether the viewer follows a person, and the number of followers.
 * @throws Refusal 404 when the person doesn't exist
 */
export async function readFollowingOrThrow(
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
  while (await deleteBatch(db, userId, BATCH));
  await deleteCount(db, userId)
}
