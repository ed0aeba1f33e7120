/** SQL of single comments; the only place that writes their table. */
import { sql } from 'kysely'
import { foldTerm } from '#contract/fold.ts'
import { arrayOf, compileOnce } from '#server/db/compiled.ts'
import type { DbOrTx, Tx } from '#server/db/connect.ts'
import { lock, lockName } from '#server/db/locks.ts'
import { commentColumns, commentJoins, type CommentRow } from '#server/lessons/comments.ts'
import { lessonCommentsCte, readableLessonCte } from '#server/lessons/counters.ts'
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
  /** False: there is no such lesson, and of what entitles to it nothing is known. */
  readonly isThere: boolean
  /** Its draft became a comment before. */
  readonly isKnown: boolean
  /** False: what it answers is no comment of the lesson, is gone, or is an answer itself. */
  readonly isAnswerable: boolean
  /** When the writer wrote the last but `skipped` of their comments, deleted ones included; null: not so many. */
  readonly tenthAt: Date | null
}

/**
 * Locks the lessons that are to be commented on, in the order of their ids, until the transaction ends. Answers for
 * each comment in its place what is known of it. `skipped` null: how fast somebody writes does not matter.
 */
export function lockWritings(
  tx: Tx,
  comments: readonly NewComment[],
  skipped: number | null,
): Promise<Writing[]> {
  return writings(tx, {
    lessons: comments.map(({ lessonId }) => lessonId),
    people: comments.map(({ userId }) => userId),
    drafts: comments.map(({ draftId }) => draftId ?? null),
    answered: comments.map(({ replyTo }) => replyTo ?? null),
    isLimited: skipped !== null,
    skipped: skipped ?? 0,
  })
}

const writings = compileOnce<
  {
    lessons: readonly number[]
    people: readonly string[]
    drafts: readonly (string | null)[]
    answered: readonly (number | null)[]
    isLimited: boolean
    skipped: number
  },
  Writing
>(
  ['lessons', 'people', 'drafts', 'answered', 'isLimited', 'skipped'],
  (db, { lessons, people, drafts, answered, isLimited, skipped }) =>
    sql<Writing>`
    with item as materialized (
      select l.id from lessons l
      where l.id = any(${arrayOf('bigint', lessons)}) and ${isReadable('l')} order by l.id for no key update
    ), asked as (
      select * from unnest(
        ${arrayOf('bigint', lessons)}, ${arrayOf('uuid', people)}, ${arrayOf('uuid', drafts)},
        ${arrayOf('bigint', answered)}
      ) with ordinality as asked (lesson_id, user_id, draft_id, reply_to, place)
    )
    select l.id is not null as "isThere", ${entitlementColumns(sql`asked.user_id`)},
      exists (
        select from comments m where m.user_id = asked.user_id and m.draft_id = asked.draft_id
      ) as "isKnown",
      asked.reply_to is null or exists (
        select from comments m
        where m.id = asked.reply_to and m.lesson_id = asked.lesson_id and m.reply_to is null and m.deleted_at is null
      ) as "isAnswerable",
      case when (select ${isLimited}::boolean) then (
        select m.created_at from comments m where m.user_id = asked.user_id
        order by m.id desc offset (select ${skipped}::integer) limit 1
      ) end as "tenthAt"
    from asked left join item on item.id = asked.lesson_id left join lessons l on l.id = item.id
    order by asked.place`.compile(db),
)

/**
 * Inserts comments on locked lessons, in their order, and counts them at their lessons. What was a draft that became a
 * comment before is left out of the answer.
 */
export function insertComments(
  tx: Tx,
  comments: readonly NewComment[],
  at: Date,
): Promise<CommentRow[]> {
  return added(tx, {
    lessons: comments.map(({ lessonId }) => lessonId),
    people: comments.map(({ userId }) => userId),
    texts: comments.map(({ text }) => text),
    folded: comments.map(({ text }) => foldTerm(text)),
    drafts: comments.map(({ draftId }) => draftId ?? null),
    answered: comments.map(({ replyTo }) => replyTo ?? null),
    at,
  })
}

const added = compileOnce<
  {
    lessons: readonly number[]
    people: readonly string[]
    texts: readonly string[]
    folded: readonly string[]
    drafts: readonly (string | null)[]
    answered: readonly (number | null)[]
    at: Date
  },
  CommentRow
>(
  ['lessons', 'people', 'texts', 'folded', 'drafts', 'answered', 'at'],
  (db, { lessons, people, texts, folded, drafts, answered, at }) =>
    sql<CommentRow>`
    with changed as (
      insert into comments (lesson_id, user_id, text, text_folded, draft_id, reply_to, created_at)
      select lesson_id, user_id, text, folded, draft_id, reply_to, ${at}::timestamptz
      from unnest(
        ${arrayOf('bigint', lessons)}, ${arrayOf('uuid', people)}, ${arrayOf('text', texts)},
        ${arrayOf('text', folded)}, ${arrayOf('uuid', drafts)}, ${arrayOf('bigint', answered)}
      )
        with ordinality as given (lesson_id, user_id, text, folded, draft_id, reply_to, place)
      order by place
      on conflict on constraint comments_draft do nothing returning *
    ), ${lessonCommentsCte(1)}
    select ${commentColumns} from changed m ${commentJoins}`.compile(db),
)

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

/** Lets the comments of each person take turns until the transaction ends; comes before every other lock. */
export async function lockWriters(tx: Tx, userIds: readonly string[]): Promise<void> {
  await lock(tx, ...userIds.map((userId) => lockName.comments(userId)))
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
