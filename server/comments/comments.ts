/** The verbs: createComment, deleteComment. */
import type { Comment } from '#contract/comments.schemas.ts'
import { addToCommentCounts } from '#server/courses/store.ts'
import {
  findComment,
  findDraftComment,
  findKept,
  findWritingTime,
  insertComment,
  lockWriter,
  vanishComment,
} from '#server/comments/store.ts'
import { judgeLater } from '#server/comments/judging.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { forbidden, notFound, Refusal } from '#server/kernel/errors.ts'
import { rightsOf } from '#server/items/access.ts'
import { toComment, type CommentRow } from '#server/lessons/comments.ts'
import { findEntitlement } from '#server/items/entitlement.ts'
import { lessonGone } from '#server/lessons/writing.ts'
import { logAct } from '#server/moderation/log.ts'

export interface WritingNeeds {
  readonly db: Db
  readonly clock: Clock
  /** False: people write as fast as they like (RATE_LIMITS). */
  readonly limited: boolean
}

/** Comments a minute; who types them stays far below. */
const MOST_A_MINUTE = 10
const MINUTE_MS = 60_000

export interface CommentDraft {
  readonly lessonId: number
  readonly text: string
  readonly draftId?: string | undefined
}

/**
 * Writes a comment. A draft that comes again answers its first result and changes nothing. `courses`: those whose
 * number has moved.
 * @throws Refusal 404 when there is no such lesson, 403 for who may not comment on it, 429 for who writes in haste
 */
export async function createComment(
  { db, clock, limited }: WritingNeeds,
  viewer: Viewer,
  draft: CommentDraft,
): Promise<{ comment: Comment; courses: readonly number[] }> {
  const { lessonId, text, draftId } = draft
  const before = draftId === undefined ? null : await findDraftComment(db, viewer.id, draftId)
  if (before !== null) return { comment: toComment(before, viewer), courses: [] }
  const entitlement = await findEntitlement(db, lessonId, viewer)
  if (entitlement === null) throw lessonGone()
  if (!rightsOf(viewer, entitlement).comment) throw forbidden()
  const at = clock.now()
  const { row, courses } = await db.transaction().execute(async (tx) => {
    if (limited) await refuseHaste(tx, viewer.id, at)
    return write(tx, { lessonId, userId: viewer.id, text, draftId, at })
  })
  if (row === null) throw lessonGone()
  return { comment: toComment(row, viewer), courses }
}

async function write(
  tx: Tx,
  comment: Parameters<typeof insertComment>[1],
): Promise<{ row: CommentRow | null; courses: readonly number[] }> {
  const inserted = await insertComment(tx, comment)
  if (inserted === null) return { row: null, courses: [] }
  const { userId, draftId } = comment
  if (inserted.id === null)
    return { row: await findDraftComment(tx, userId, draftId ?? ''), courses: [] }
  // A statement of its own: only now, with the lesson locked, is it sure which courses hold it.
  await judgeLater(tx, inserted.id)
  const courses = await addToCommentCounts(tx, [{ lessonId: comment.lessonId, delta: 1 }])
  return { row: await findComment(tx, inserted.id), courses }
}

/** @throws Refusal 429 */
async function refuseHaste(tx: Tx, userId: string, now: Date): Promise<void> {
  // One person's comments take turns: of many at once each counts those before it.
  await lockWriter(tx, userId)
  const at = await findWritingTime(tx, userId, MOST_A_MINUTE - 1)
  const wait = at === null ? 0 : at.getTime() + MINUTE_MS - now.getTime()
  if (wait > 0) throw new Refusal(429, 'commentsTooFast', { retryAfter: Math.ceil(wait / 1000) })
}

/**
 * Takes a comment away: its writer, or an administrator. Answers what it was about.
 * @throws Refusal 404 when there is none, 403 for others
 */
export async function deleteComment(
  { db, clock }: Pick<WritingNeeds, 'db' | 'clock'>,
  viewer: Viewer,
  id: number,
): Promise<{ lessonId: number; courses: readonly number[] }> {
  const found = await findKept(db, id)
  if (found === null) throw notFound('commentNotFound')
  const { userId, lessonId, text } = found
  if (userId !== viewer.id && viewer.role !== 'administrator') throw forbidden()
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
