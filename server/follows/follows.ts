/** The verbs: follow, unfollow, and what a block ends. */
import type { Following } from '#contract/follows.ts'
import { MOST_FOLLOWED } from '#contract/limits.ts'
import type { Db, DbOrTx, Tx } from '#server/db/connect.ts'
import { lock, lockName } from '#server/db/locks.ts'
import {
  deleteCount,
  deleteFollow,
  forgetSome,
  insertFollow,
  readBefore,
  readFollowing,
} from '#server/follows/store.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, forbidden, notFound } from '#server/kernel/errors.ts'

/** Followers that one statement of an erasure takes away. */
const BATCH = 1000

interface Needs {
  readonly db: Db
  readonly clock: Clock
}

/**
 * Follows a person; of whom one follows already nothing changes.
 * @throws Refusal 404 where there is nobody, 403 when they have blocked the viewer, 409 for oneself, for somebody whom
 * the viewer has blocked, and for one too many
 */
export function follow({ db, clock }: Needs, viewer: Viewer, authorId: string): Promise<Following> {
  const followerId = viewer.id
  if (authorId === followerId) throw conflict('followOneself')
  return db.transaction().execute(async (tx) => {
    // Of many at once each counts those before it, and whoever blocks somebody waits, or is seen.
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

/** Follows a person no longer. @throws Refusal 404 where there is nobody */
export async function unfollow(db: Db, viewer: Viewer, authorId: string): Promise<Following> {
  await deleteFollow(db, viewer.id, authorId)
  return requireFollowing(db, viewer.id, authorId)
}

/** Whether the viewer follows a person, and how many do. @throws Refusal 404 where there is nobody */
export async function requireFollowing(
  db: DbOrTx,
  viewerId: string,
  authorId: string,
): Promise<Following> {
  const found = await readFollowing(db, viewerId, authorId)
  if (found === null) throw notFound('profileNotFound')
  return found
}

/** Of two people of whom one blocks the other, neither follows the other any more. To be called before the block. */
export async function endFollowsBetween(tx: Tx, one: string, other: string): Promise<void> {
  await lock(tx, lockName.follows(one), lockName.follows(other))
  await deleteFollow(tx, one, other)
  await deleteFollow(tx, other, one)
}

/** Of a person whose account is erased: whom they followed, and who followed them. */
export async function forgetFollows(db: Db, userId: string): Promise<void> {
  while (!(await forgetSome(db, userId, BATCH)));
  await deleteCount(db, userId)
}
