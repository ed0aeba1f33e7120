import type { Comment } from '#contract/comments.ts'
import { COMMENT_EDIT_MINUTES } from '#contract/limits.ts'
import { judgeLater } from '#server/items/comments/judging.ts'
import {
  findComment,
  findLivingComment,
  rewriteComment,
  softDeleteComment,
} from '#server/items/comments/store.ts'
import { addToCommentCounts } from '#server/items/courses/store.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { refuseUnconfirmed, type Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, forbidden, notFound } from '#server/kernel/errors.ts'
import { toComment } from '#server/items/lessons/comments.ts'
import { logAct } from '#server/people/moderation/log.ts'

/**
 * Deletes a comment for its writer or an administrator. Returns its lesson and the courses whose numbers changed.
 * @throws Refusal 404 when it doesn't exist, 403 for others and for an administrator who must confirm their
 * identity first
 */
export async function deleteComment(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  viewer: Viewer,
  id: number,
): Promise<{ lessonId: number; courses: readonly number[] }> {
  const found = await findLivingComment(db, id)
  if (found === null) throw notFound('commentNotFound')
  const { userId, lessonId, text } = found
  if (userId !== viewer.id && viewer.role !== 'administrator') throw forbidden()
  if (userId !== viewer.id) refuseUnconfirmed(viewer)
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const gone = await softDeleteComment(tx, { id, lessonId, by: viewer.id, at })
    if (!gone) throw notFound('commentNotFound')
    if (userId !== viewer.id)
      await logAct(tx, {
        actorId: viewer.id,
        action: 'commentDeleted',
        subjectId: id,
        subject: text,
        personId: userId,
        at,
      })
    return { lessonId, courses: await addToCommentCounts(tx, [{ lessonId, delta: -1 }]) }
  })
}

const EDITABLE_MS = COMMENT_EDIT_MINUTES * 60_000

/**
 * Changes the text of a comment for its writer; it is then classified again. An unchanged text has no effect.
 * @throws Refusal 404 when it doesn't exist, 403 for others, 409 when it is older than 15 minutes
 */
export async function editComment(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  viewer: Viewer,
  { id, text }: { readonly id: number; readonly text: string },
): Promise<Comment> {
  const found = await findLivingComment(db, id)
  if (found === null) throw notFound('commentNotFound')
  if (found.userId !== viewer.id) throw forbidden()
  const at = clock.now()
  const since = new Date(at.getTime() - EDITABLE_MS)
  if (found.createdAt <= since) throw conflict('commentTooOld', { minutes: COMMENT_EDIT_MINUTES })
  const row =
    found.text === text
      ? await findComment(db, id)
      : await db.transaction().execute(async (tx) => {
          const changed = await rewriteComment(tx, { id, by: viewer.id, text, since, at })
          // Several changes before the job has run need only one job.
          if (changed !== null) await judgeLater(tx, [id], `judge comment ${id}`)
          return changed
        })
  if (row === null) throw notFound('commentNotFound')
  return toComment(row, viewer)
}
