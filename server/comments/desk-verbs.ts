/** The verbs of the desk: delete many, bring one back. Each is logged. */
import type { Action } from '#contract/moderation.schemas.ts'
import {
  lockLessonsOf,
  reviveComment,
  undoableSince,
  vanishComments,
  type MovedComment,
} from '#server/comments/deletions.ts'
import { addToCommentCounts } from '#server/courses/store.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, notFound } from '#server/kernel/errors.ts'
import { addToLessonComments } from '#server/lessons/counters.ts'
import { logAct } from '#server/moderation/log.ts'

interface DeskNeeds {
  readonly db: Db
  readonly clock: Clock
}

/** Whose numbers moved. */
export interface Moved {
  readonly lessons: readonly number[]
  readonly courses: readonly number[]
}

/** Deletes those that are there, all or none; of the others nothing is said. */
export async function deleteComments(
  { db, clock }: DeskNeeds,
  viewer: Viewer,
  ids: readonly number[],
): Promise<Moved> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const lessons = await lockLessonsOf(tx, ids)
    const gone = await vanishComments(tx, { ids, lessons, by: viewer.id, at })
    return settle(tx, viewer, gone, { action: 'commentDeleted', at })
  })
}

/**
 * Brings back what an administrator deleted, to its old place.
 * @throws Refusal 404 when there is no such comment or its lesson is gone, 409 when there is nothing to be undone:
 * it is there, its writer (another than the caller) deleted it, or 30 days are over
 */
export async function restoreComment(
  { db, clock }: DeskNeeds,
  viewer: Viewer,
  id: number,
): Promise<Moved> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const lessons = await lockLessonsOf(tx, [id])
    if (lessons.length === 0) throw notFound('commentNotFound')
    const back = await reviveComment(tx, { id, by: viewer.id, since: undoableSince(at) })
    if (back === null) throw conflict('commentNotUndoable')
    return settle(tx, viewer, [back], { action: 'commentRestored', at })
  })
}

/** Moves the numbers and writes the log; the lessons are locked, the courses come after them. */
async function settle(
  tx: Tx,
  viewer: Viewer,
  comments: readonly MovedComment[],
  { action, at }: { action: Extract<Action, 'commentDeleted' | 'commentRestored'>; at: Date },
): Promise<Moved> {
  if (comments.length === 0) return { lessons: [], courses: [] }
  const step = action === 'commentDeleted' ? -1 : 1
  const deltas = new Map<number, number>()
  for (const { lessonId } of comments) deltas.set(lessonId, (deltas.get(lessonId) ?? 0) + step)
  const moves = [...deltas].map(([lessonId, delta]) => ({ lessonId, delta }))
  await addToLessonComments(tx, moves)
  const courses = await addToCommentCounts(tx, moves)
  // Deleting one's own is no act of an administrator, nor is its return; undoing another's deletion of it is one.
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
