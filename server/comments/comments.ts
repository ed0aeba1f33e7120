/** The verb deleteComment; writing.ts has the other one. */
import { findLivingComment, vanishComment } from '#server/comments/store.ts'
import { addToCommentCounts } from '#server/courses/store.ts'
import type { Db } from '#server/db/connect.ts'
import { refuseUnconfirmed, type Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { forbidden, notFound } from '#server/kernel/errors.ts'
import { logAct } from '#server/moderation/log.ts'

/**
 * Takes a comment away: its writer, or an administrator. Answers what it was about.
 * @throws Refusal 404 when there is none, 403 for others and for an administrator who has to confirm first
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
    const gone = await vanishComment(tx, { id, lessonId, by: viewer.id, at })
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
