/** The verbs of the desk: delete many, bring many back. Each is logged. */
import type { Restored } from '#contract/comments.ts'
import type { Action } from '#contract/moderation.ts'
import {
  findCommentsOf,
  lockLessonsOf,
  reviveComments,
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
import { undoableSince } from '#server/moderation/undo.ts'

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

export interface Restoration extends Moved, Restored {}

/**
 * Brings back what administrators deleted, each to its old place, all at once. One that is refused stops no other:
 * `commentNotFound` when there is no such comment or its lesson is gone, `commentNotUndoable` when there is nothing to
 * be undone: it is there, its writer (another than the caller) deleted it, or 30 days are over.
 */
export async function restoreComments(
  { db, clock }: DeskNeeds,
  viewer: Viewer,
  ids: readonly number[],
): Promise<Restoration> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const lessons = await lockLessonsOf(tx, ids)
    const since = undoableSince(at)
    const back = await reviveComments(tx, { ids, lessons, by: viewer.id, since })
    const moved = await settle(tx, viewer, back, { action: 'commentRestored', at })
    const restored = back.map(({ id }) => id)
    const left = [...new Set(ids)].filter((id) => !restored.includes(id))
    const known = left.length === 0 ? new Set() : await findCommentsOf(tx, left, lessons)
    const refused = left.map((id) => ({
      id,
      why: known.has(id) ? ('commentNotUndoable' as const) : ('commentNotFound' as const),
    }))
    return { ...moved, restored, refused }
  })
}

/** The same for one. @throws Refusal 404 or 409 */
export async function restoreComment(needs: DeskNeeds, viewer: Viewer, id: number): Promise<Moved> {
  const { refused, ...moved } = await restoreComments(needs, viewer, [id])
  const [refusal] = refused
  if (refusal?.why === 'commentNotFound') throw notFound(refusal.why)
  if (refusal !== undefined) throw conflict(refusal.why)
  return moved
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
