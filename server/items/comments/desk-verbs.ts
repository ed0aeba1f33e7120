/** Deletes and restores many comments at the desk. Each is logged. */
import type { Restored } from '#contract/comments.ts'
import type { Action } from '#contract/moderation.ts'
import {
  findCommentsOf,
  lockLessonsOf,
  undeleteComments,
  vanishComments,
  type MovedComment,
} from '#server/items/comments/deletions.ts'
import { addToCommentCounts } from '#server/items/courses/store.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, notFound } from '#server/kernel/errors.ts'
import { addToLessonComments } from '#server/items/lessons/counters.ts'
import { logAct } from '#server/people/moderation/log.ts'
import { undoableSince, type DeletionTime } from '#server/people/moderation/undo.ts'

interface DeskNeeds {
  readonly db: Db
  readonly clock: Clock
}

/** Lessons and courses whose numbers changed. */
export interface AffectedItems {
  readonly lessons: readonly number[]
  readonly courses: readonly number[]
}

/** Deletes those that exist in one transaction and ignores the others. */
export async function deleteComments(
  { db, clock }: DeskNeeds,
  viewer: Viewer,
  ids: readonly number[],
): Promise<AffectedItems> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const lessons = await lockLessonsOf(tx, ids)
    const gone = await vanishComments(tx, { ids, lessons, by: viewer.id, at })
    return settle(tx, viewer, gone, { action: 'commentDeleted', at })
  })
}

export interface Restoration extends AffectedItems, Restored {}

/**
 * Restores what administrators deleted, in one transaction. Refused comments don't prevent others:
 * `commentNotFound` when the comment or its lesson doesn't exist, `commentNotUndoable` when it is not deleted, was
 * deleted by its writer (other than the caller), or was deleted more than 30 days ago.
 */
export async function restoreComments(
  { db, clock }: DeskNeeds,
  viewer: Viewer,
  ids: readonly number[],
): Promise<Restoration> {
  const at = clock.now()
  return db
    .transaction()
    .execute((tx) => undeleteAtDesk(tx, viewer, { ids, deleted: { since: undoableSince(at) }, at }))
}

export interface Undeletion {
  readonly ids: readonly number[]
  readonly deleted: DeletionTime
  readonly at: Date
}

/** Restores comments in the transaction of the caller. */
export async function undeleteAtDesk(
  tx: Tx,
  viewer: Viewer,
  { ids, deleted, at }: Undeletion,
): Promise<Restoration> {
  const lessons = await lockLessonsOf(tx, ids)
  const back = await undeleteComments(tx, { ids, lessons, by: viewer.id, deleted })
  const moved = await settle(tx, viewer, back, { action: 'commentRestored', at })
  const restored = back.map(({ id }) => id)
  const left = [...new Set(ids)].filter((id) => !restored.includes(id))
  const known = left.length === 0 ? new Set() : await findCommentsOf(tx, left, lessons)
  const refused = left.map((id) => ({
    id,
    why: known.has(id) ? ('commentNotUndoable' as const) : ('commentNotFound' as const),
  }))
  return { ...moved, restored, refused }
}

/** @throws Refusal 404 or 409 */
export async function restoreComment(
  needs: DeskNeeds,
  viewer: Viewer,
  id: number,
): Promise<AffectedItems> {
  const { refused, ...moved } = await restoreComments(needs, viewer, [id])
  const [refusal] = refused
  if (refusal?.why === 'commentNotFound') throw notFound(refusal.why)
  if (refusal !== undefined) throw conflict(refusal.why)
  return moved
}

/** Updates the numbers and writes the log. The lessons must be locked; courses are locked after them. */
async function settle(
  tx: Tx,
  viewer: Viewer,
  comments: readonly MovedComment[],
  { action, at }: { action: Extract<Action, 'commentDeleted' | 'commentRestored'>; at: Date },
): Promise<AffectedItems> {
  if (comments.length === 0) return { lessons: [], courses: [] }
  const step = action === 'commentDeleted' ? -1 : 1
  const deltas = new Map<number, number>()
  for (const { lessonId } of comments) deltas.set(lessonId, (deltas.get(lessonId) ?? 0) + step)
  const moves = [...deltas].map(([lessonId, delta]) => ({ lessonId, delta }))
  await addToLessonComments(tx, moves)
  const courses = await addToCommentCounts(tx, moves)
  // Deleting and restoring one's own comments are not logged as moderation. Restoring a deletion by somebody else
  // is.
  const acts = comments.filter(({ userId, deletedBy }) => deletedBy !== userId)
  for (const { id, text, userId } of acts)
    await logAct(tx, {
      actorId: viewer.id,
      action,
      subjectId: id,
      subject: text,
      personId: userId,
      at,
    })
  return { lessons: [...deltas.keys()], courses }
}
