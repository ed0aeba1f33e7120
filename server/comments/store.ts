/** SQL of single comments; the only place that writes their table. */
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '#server/db/connect.ts'
import { lock, lockName } from '#server/db/locks.ts'
import { commentColumns, commentJoins, type CommentRow } from '#server/lessons/comments.ts'
import { lockedItemCte } from '#server/items/counters.ts'
import { lessonCommentsCte, readableLessonCte } from '#server/lessons/counters.ts'
import { foldTerm } from '#server/db/folded-search.ts'
import { isReadable } from '#server/items/entitlement.ts'

export interface NewComment {
  readonly lessonId: number
  readonly userId: string
  readonly text: string
  readonly draftId: string | undefined
  readonly at: Date
}

/**
 * Inserts a comment and counts it at its lesson, which stays locked until the transaction ends. `id` null: the
 * draft became a comment before; null: there is no such lesson.
 */
export async function insertComment(
  tx: Tx,
  comment: NewComment,
): Promise<{ id: number | null } | null> {
  const { rows } = await sql<{ lesson: number | null; id: number | null }>`
    with ${lockedItemCte('lesson', comment.lessonId)}, changed as (
      insert into comments (lesson_id, user_id, text, text_folded, draft_id, created_at)
      select item.id, ${comment.userId}::uuid, ${comment.text}::text, ${foldTerm(comment.text)}::text,
        ${comment.draftId ?? null}::uuid, ${comment.at}::timestamptz
      from item
      on conflict on constraint comments_draft do nothing returning id, lesson_id
    ), ${lessonCommentsCte(1)}
    select (select id from item) as lesson, (select id from changed) as id`.execute(tx)
  const row = rows[0]
  return row === undefined || row.lesson === null ? null : { id: row.id }
}

/** A comment with what is shown beside it, also when it was deleted; null when there is none. */
export async function findComment(db: DbOrTx, id: number): Promise<CommentRow | null> {
  const { rows } = await sql<CommentRow>`
    select ${commentColumns} from comments m ${commentJoins} where m.id = ${id}`.execute(db)
  return rows[0] ?? null
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

/** When a person wrote the last but `skipped` of their comments, deleted ones included. */
export async function findWritingTime(
  db: DbOrTx,
  userId: string,
  skipped: number,
): Promise<Date | null> {
  const row = await db
    .selectFrom('comments')
    .select('created_at')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .offset(skipped)
    .limit(1)
    .executeTakeFirst()
  return row?.created_at ?? null
}

export interface KeptComment {
  readonly userId: string
  readonly lessonId: number
  readonly text: string
}

/** A comment that is there, on a lesson that is there or left to its buyers. */
export async function findKept(db: DbOrTx, id: number): Promise<KeptComment | null> {
  const { rows } = await sql<KeptComment>`
    select m.user_id as "userId", m.lesson_id as "lessonId", m.text
    from comments m join lessons l on l.id = m.lesson_id and ${isReadable('l')}
    where m.id = ${id} and m.deleted_at is null`.execute(db)
  return rows[0] ?? null
}

/**
 * Takes a comment away from everybody and counts it off at its lesson, which stays locked until the transaction
 * ends. The row stays, for who moderates. False when somebody else was first.
 */
export async function vanishComment(
  tx: Tx,
  comment: { id: number; lessonId: number; by: string; at: Date },
): Promise<boolean> {
  const { rows } = await sql<{ lesson_id: number }>`
    with ${readableLessonCte(comment.lessonId)}, changed as (
      update comments set deleted_at = ${comment.at}::timestamptz, deleted_by = ${comment.by}::uuid
      -- the lesson first: so that all lock in the same order
      where id = ${comment.id} and deleted_at is null and exists (select from item)
      returning lesson_id
    ), ${lessonCommentsCte(-1)}
    select lesson_id from changed`.execute(tx)
  return rows.length > 0
}
