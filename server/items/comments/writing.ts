import type { Comment } from '#contract/comments.ts'
import { judgeLater } from '#server/items/comments/judging.ts'
import {
  findDraftComment,
  insertComment,
  lockAuthor,
  lockLessonForComment,
  type CommentPermission,
} from '#server/items/comments/store.ts'
import { addToCommentCounts } from '#server/items/courses/store.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { isThere, rightsOf } from '#server/items/shared/access.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { forbidden, invalidField, Refusal } from '#server/kernel/errors.ts'
import { courseRef, lessonRef, type Event } from '#server/platform/events/catalogue.ts'
import { record } from '#server/platform/events/outbox.ts'
import { toComment } from '#server/items/lessons/comments.ts'
import { lessonGone } from '#server/items/lessons/writing.ts'

export interface WritingNeeds {
  readonly db: Db
  readonly clock: Clock
  /** False if RATE_LIMITS turns limits off. */
  readonly limited: boolean
}

export interface CommentDraft {
  readonly lessonId: number
  readonly text: string
  readonly draftId?: string | undefined
  readonly replyTo?: number | undefined
}

/** Maximum number of comments of a person per minute. */
const MOST_A_MINUTE = 10
const MINUTE_MS = 60_000

/**
 * Writes a comment and returns the event to publish. A repeated `draftId` returns the comment that it created first.
 * @throws Refusal 404 when there is no such lesson, 403 for people who may not comment on it, 400 if `replyTo`
 * can't be replied to (it is deleted, on another lesson, or itself a reply), 429 for too many comments a minute
 */
export function createComment(
  { db, clock, limited }: WritingNeeds,
  viewer: Viewer,
  draft: CommentDraft,
): Promise<{ comment: Comment; event: Event | null }> {
  const at = clock.now()
  const { lessonId, text, draftId, replyTo } = draft
  const wanted = { lessonId, userId: viewer.id, text, draftId, replyTo }
  return db.transaction().execute(async (tx) => {
    // Serialises one person's comments on all nodes, so that each request counts the earlier ones.
    if (limited) await lockAuthor(tx, viewer.id)
    const permission = await lockLessonForComment(tx, wanted, limited ? MOST_A_MINUTE - 1 : null)
    if (permission === null) throw lessonGone()
    refuseUnlessAllowed(viewer, permission, replyTo, at)
    const row = await insertComment(tx, wanted, at)
    if (row === null) {
      const first = await findDraftComment(tx, viewer.id, draftId ?? '')
      if (first === null) throw lessonGone()
      return { comment: toComment(first, viewer), event: null }
    }
    // The lesson is locked, so it can't be added to or removed from a course meanwhile.
    const courses = await addToCommentCounts(tx, [{ lessonId, delta: 1 }])
    await judgeLater(tx, [row.id])
    const event = {
      type: 'comment.created',
      commentId: row.id,
      item: lessonRef(lessonId),
      also: courses.map(courseRef),
      ownerId: permission.ownerId,
      userId: viewer.id,
      askedId: permission.askedId,
    } as const
    await record(tx, event, at)
    return { comment: toComment(row, viewer), event }
  })
}

/** A draft that already is a comment is never refused; the caller gets that comment. */
function refuseUnlessAllowed(
  viewer: Viewer,
  permission: CommentPermission,
  replyTo: number | undefined,
  at: Date,
): void {
  if (permission.isRepeated) return
  if (!isThere(viewer, permission)) throw lessonGone()
  if (!rightsOf(viewer, permission).comment) throw forbidden()
  if (replyTo !== undefined && permission.askedId === null)
    throw invalidField('replyTo', 'commentNoReply')
  const wait =
    permission.oldestInLimitAt === null
      ? 0
      : permission.oldestInLimitAt.getTime() + MINUTE_MS - at.getTime()
  if (wait > 0) throw new Refusal(429, 'commentsTooFast', { retryAfter: Math.ceil(wait / 1000) })
}
