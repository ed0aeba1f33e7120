/** SQL of single comments. Only this folder writes their table. */
import { sql } from 'kysely'
import { foldTerm } from '#contract/fold.ts'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { lock, lockName } from '#server/platform/db/locks.ts'
import { commentColumns, commentJoins, type CommentRow } from '#server/items/lessons/comments.ts'
import { addToLessonComments, lockReadableLesson } from '#server/items/lessons/counters.ts'
import type { Entitlement } from '#server/items/shared/access.ts'
import { entitlementColumns, isReadable } from '#server/items/shared/entitlement.ts'

export interface NewComment {
  readonly lessonId: number
  readonly userId: string
  readonly text: string
  readonly draftId: string | undefined
  /** The id of the comment that it answers. */
  readonly replyTo: number | undefined
}

/** Everything that decides whether a comment may be written. */
export interface CommentPermission extends Entitlement {
  /** True if a comment with this `draftId` exists. */
  readonly isRepeated: boolean
  /** The author of the comment to reply to; null if it is missing, deleted, on another lesson, or itself a reply. */
  readonly askedId: string | null
  /** When the writer wrote the comment before their last `skipped` ones, counting deleted ones; null if none. */
  readonly oldestInLimitAt: Date | null
}

/**
 * Locks the lesson until the transaction ends and reads what decides whether the comment may be written. Returns
 * null when there is no such lesson. A null `skipped` ignores how fast somebody writes.
 */
export async function lockLessonForComment(
  tx: Tx,
  { lessonId, userId, draftId, replyTo }: NewComment,
  skipped: number | null,
): Promise<CommentPermission | null> {
  if (!(await lockReadableLesson(tx, lessonId))) return null
  const { rows } = await sql<CommentPermission>`
    select ${entitlementColumns(userId)},
      exists (
        select from comments m where m.user_id = ${userId} and m.draft_id = ${draftId ?? null}::uuid
      ) as "isRepeated",
      (
        select m.user_id from comments m
        where m.id = ${replyTo ?? null}::bigint and m.lesson_id = l.id and m.reply_to is null and m.deleted_at is null
      ) as "askedId",
      case when ${skipped}::integer is not null then (
        select m.created_at from comments m where m.user_id = ${userId}
        order by m.id desc offset ${skipped}::integer limit 1
      ) end as "oldestInLimitAt"
    from lessons l where l.id = ${lessonId}`.execute(tx)
  return rows[0] ?? null
}

/** Inserts a comment on a locked lesson and counts it. Returns null when its draft is already a comment. */
export async function insertComment(
  tx: Tx,
  { lessonId, userId, text, draftId, replyTo }: NewComment,
  at: Date,
): Promise<CommentRow | null> {
  const { rows } = await sql<CommentRow>`
    with changed as (
      insert into comments (lesson_id, user_id, text, text_folded, draft_id, reply_to, created_at)
      values (${lessonId}, ${userId}, ${text}, ${foldTerm(text)}, ${draftId ?? null}, ${replyTo ?? null}, ${at})
      on conflict on constraint comments_draft do nothing returning *
    )
    select ${commentColumns} from changed m ${commentJoins}`.execute(tx)
  const [row] = rows
  if (row === undefined) return null
  await addToLessonComments(tx, [{ lessonId, delta: 1 }])
  return row
}

/** Returns the comment of a draft, even if it was deleted since. */
export async function findDraftComment(
  db: DbOrTx,
  userId: string,
  draftId: string,
): Promise<CommentRow | null> {
  const { rows } = await sql<CommentRow>`
    select ${commentColumns} from comments m ${commentJoins}
    where m.user_id = ${userId} and m.draft_id = ${draftId}`.execute(db)
  return rows[0] ?? null
}

/** Serialises one person's comments until the transaction ends. It must be the first lock. */
export async function lockAuthor(tx: Tx, userId: string): Promise<void> {
  await lock(tx, lockName.comments(userId))
}

export interface LivingComment {
  readonly userId: string
  readonly lessonId: number
  readonly text: string
  readonly createdAt: Date
}

/** Returns a comment that exists, on a lesson that is living or left to its buyers. */
export async function findLivingComment(db: DbOrTx, id: number): Promise<LivingComment | null> {
  const { rows } = await sql<LivingComment>`
    select m.user_id as "userId", m.lesson_id as "lessonId", m.text, m.created_at as "createdAt"
    from comments m join lessons l on l.id = m.lesson_id and ${isReadable('l')}
    where m.id = ${id} and m.deleted_at is null`.execute(db)
  return rows[0] ?? null
}

/**
 * Deletes a comment and updates the number of its lesson, which stays locked until the transaction ends. The row
 * is kept for moderators. Returns false when somebody else deleted it first.
 */
export async function softDeleteComment(
  tx: Tx,
  comment: { id: number; lessonId: number; by: string; at: Date },
): Promise<boolean> {
  // Every transaction locks the lesson before its comments.
  if (!(await lockReadableLesson(tx, comment.lessonId))) return false
  const { numAffectedRows } = await sql`
    update comments set deleted_at = ${comment.at}::timestamptz, deleted_by = ${comment.by}::uuid
    where id = ${comment.id} and deleted_at is null`.execute(tx)
  if (numAffectedRows === 0n) return false
  await addToLessonComments(tx, [{ lessonId: comment.lessonId, delta: -1 }])
  return true
}

/**
 * Changes the text and removes the opinion. Returns null if it is deleted, somebody else's or older than `since`.
 */
export async function rewriteComment(
  tx: Tx,
  comment: { id: number; by: string; text: string; since: Date; at: Date },
): Promise<CommentRow | null> {
  const { rows } = await sql<CommentRow>`
    with changed as (
      update comments set text = ${comment.text}, text_folded = ${foldTerm(comment.text)},
        edited_at = ${comment.at}::timestamptz,
        prediction = null, confidence = null, language = null, why = null, model = null, judged_at = null
      where id = ${comment.id} and user_id = ${comment.by} and deleted_at is null and created_at > ${comment.since}
      returning *
    )
    select ${commentColumns} from changed m ${commentJoins}`.execute(tx)
  return rows[0] ?? null
}

/** Returns null when it is deleted. */
export async function findComment(db: DbOrTx, id: number): Promise<CommentRow | null> {
  const { rows } = await sql<CommentRow>`
    select ${commentColumns} from comments m ${commentJoins}
    where m.id = ${id} and m.deleted_at is null`.execute(db)
  return rows[0] ?? null
}
