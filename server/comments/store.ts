/** SQL of single comments; the only place that writes their table. */
import { sql } from 'kysely'
import { foldTerm } from '#contract/fold.ts'
import type { DbOrTx, Tx } from '#server/db/connect.ts'
import { lock, lockName } from '#server/db/locks.ts'
import { commentColumns, commentJoins, type CommentRow } from '#server/lessons/comments.ts'
import { addToLessonComments, lockReadableLesson } from '#server/lessons/counters.ts'
import type { Entitlement } from '#server/items/access.ts'
import { entitlementColumns, isReadable } from '#server/items/entitlement.ts'

export interface NewComment {
  readonly lessonId: number
  readonly userId: string
  readonly text: string
  readonly draftId: string | undefined
  /** The comment that it answers. */
  readonly replyTo: number | undefined
}

/** What is known of a comment that somebody wants to write, before it is written. */
export interface Writing extends Entitlement {
  /** Its draft became a comment before. */
  readonly isKnown: boolean
  /** False: what it answers is no comment of the lesson, is gone, or is an answer itself. */
  readonly isAnswerable: boolean
  /** When the writer wrote the last but `skipped` of their comments, deleted ones included; null: not so many. */
  readonly tenthAt: Date | null
}

/**
 * Locks the lesson that is to be commented on until the transaction ends, and reads what decides whether the comment may
 * be written. Null when there is no such lesson. `skipped` null: how fast somebody writes does not matter.
 */
export async function lockWriting(
  tx: Tx,
  { lessonId, userId, draftId, replyTo }: NewComment,
  skipped: number | null,
): Promise<Writing | null> {
  if (!(await lockReadableLesson(tx, lessonId))) return null
  const { rows } = await sql<Writing>`
    select ${entitlementColumns(userId)},
      exists (
        select from comments m where m.user_id = ${userId} and m.draft_id = ${draftId ?? null}::uuid
      ) as "isKnown",
      ${replyTo ?? null}::bigint is null or exists (
        select from comments m
        where m.id = ${replyTo ?? null}::bigint and m.lesson_id = l.id and m.reply_to is null and m.deleted_at is null
      ) as "isAnswerable",
      case when ${skipped}::integer is not null then (
        select m.created_at from comments m where m.user_id = ${userId}
        order by m.id desc offset ${skipped}::integer limit 1
      ) end as "tenthAt"
    from lessons l where l.id = ${lessonId}`.execute(tx)
  return rows[0] ?? null
}

/** Inserts a comment on a locked lesson and counts it there. Null when its draft became a comment before. */
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

/** What a form's draft became, deleted since or not. */
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

/** Lets the comments of one person take turns until the transaction ends; comes before every other lock. */
export async function lockWriter(tx: Tx, userId: string): Promise<void> {
  await lock(tx, lockName.comments(userId))
}

export interface LivingComment {
  readonly userId: string
  readonly lessonId: number
  readonly text: string
  readonly createdAt: Date
}

/** A comment that is there, on a lesson that is there or left to its buyers. */
export async function findLivingComment(db: DbOrTx, id: number): Promise<LivingComment | null> {
  const { rows } = await sql<LivingComment>`
    select m.user_id as "userId", m.lesson_id as "lessonId", m.text, m.created_at as "createdAt"
    from comments m join lessons l on l.id = m.lesson_id and ${isReadable('l')}
    where m.id = ${id} and m.deleted_at is null`.execute(db)
  return rows[0] ?? null
}

/**
 * Takes a comment away from everybody and counts it off at its lesson, which stays locked until the transaction
 * ends. The row stays, for moderators. Returns false when somebody else was first.
 */
export async function vanishComment(
  tx: Tx,
  comment: { id: number; lessonId: number; by: string; at: Date },
): Promise<boolean> {
  // The lesson first: every transaction locks it before its comments.
  if (!(await lockReadableLesson(tx, comment.lessonId))) return false
  const { numAffectedRows } = await sql`
    update comments set deleted_at = ${comment.at}::timestamptz, deleted_by = ${comment.by}::uuid
    where id = ${comment.id} and deleted_at is null`.execute(tx)
  if (numAffectedRows === 0n) return false
  await addToLessonComments(tx, [{ lessonId: comment.lessonId, delta: -1 }])
  return true
}

/**
 * Gives a comment another text, of which no opinion is left. Null when it is gone, is not of this writer, or is older
 * than `since`.
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

/** A comment as everybody reads it; null when it is gone. */
export async function findComment(db: DbOrTx, id: number): Promise<CommentRow | null> {
  const { rows } = await sql<CommentRow>`
    select ${commentColumns} from comments m ${commentJoins}
    where m.id = ${id} and m.deleted_at is null`.execute(db)
  return rows[0] ?? null
}
