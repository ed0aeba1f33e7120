/** SQL for comments that administrators delete and restore, and for the comments of deleted lessons. */
import { sql } from 'kysely'
import { wasDeleted, type DeletionTime } from '#server/people/moderation/undo.ts'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { isReadable } from '#server/items/shared/entitlement.ts'

/** A comment that was deleted or restored. */
export interface MovedComment {
  readonly id: number
  readonly lessonId: number
  readonly userId: string
  readonly text: string
  /** The id of the person who deleted it. */
  readonly deletedBy: string
}

/** Locks the lessons of these comments, living or left to their buyers, in the common order, and returns them. */
export async function lockLessonsOf(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select l.id from lessons l
    where l.id in (select m.lesson_id from comments m where m.id = any(${ids}::bigint[])) and ${isReadable('l')}
    order by l.id for no key update`.execute(tx)
  return rows.map((row) => row.id)
}

/** Deletes those that exist. Their lessons must be locked and given. */
export async function vanishComments(
  tx: Tx,
  {
    ids,
    lessons,
    by,
    at,
  }: { ids: readonly number[]; lessons: readonly number[]; by: string; at: Date },
): Promise<MovedComment[]> {
  const { rows } = await sql<MovedComment>`
    update comments m set deleted_at = ${at}, deleted_by = ${by}
    where m.id = any(${ids}::bigint[]) and m.lesson_id = any(${lessons}::bigint[]) and m.deleted_at is null
    returning m.id, m.lesson_id as "lessonId", m.user_id as "userId", m.text, ${by}::uuid as "deletedBy"`.execute(
    tx,
  )
  return rows.toSorted((one, other) => one.id - other.id)
}

/**
 * Restores comments that an administrator deleted, or that `by` deleted themselves, and returns them in the order
 * of their ids. Comments that other writers deleted stay deleted. The lessons must be locked and given.
 */
export async function undeleteComments(
  tx: Tx,
  {
    ids,
    lessons,
    by,
    deleted,
  }: { ids: readonly number[]; lessons: readonly number[]; by: string; deleted: DeletionTime },
): Promise<MovedComment[]> {
  const { rows } = await sql<MovedComment>`
    with gone as materialized (
      select id, deleted_by from comments m
      where m.id = any(${ids}::bigint[]) and m.lesson_id = any(${lessons}::bigint[])
        and ${wasDeleted(sql`m.deleted_at`, deleted)} and m.deleted_by is not null and (m.deleted_by <> m.user_id or m.deleted_by = ${by})
      order by m.id for no key update
    )
    update comments m set deleted_at = null, deleted_by = null from gone where m.id = gone.id
    returning m.id, m.lesson_id as "lessonId", m.user_id as "userId", m.text, gone.deleted_by as "deletedBy"`.execute(
    tx,
  )
  return rows.toSorted((one, other) => one.id - other.id)
}

/** Returns the ids of those, deleted or not, whose lesson is among the given ones. */
export async function findCommentsOf(
  tx: Tx,
  ids: readonly number[],
  lessons: readonly number[],
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select m.id from comments m
    where m.id = any(${ids}::bigint[]) and m.lesson_id = any(${lessons}::bigint[])`.execute(tx)
  return new Set(rows.map((row) => row.id))
}

/** Comments per statement, so that a long discussion doesn't hold its locks for long. */
const BATCH = 1000

/** Deletes the comments of a deleted lesson, which can't be restored. Safe to repeat. */
export async function vanishCommentsOf(db: DbOrTx, lessonId: number): Promise<void> {
  let gone = BATCH
  while (gone === BATCH) gone = await deleteBatch(db, lessonId)
}

/** Locks the lesson before its comments, as everywhere, so that a restored lesson keeps what is written from then on. */
async function deleteBatch(db: DbOrTx, lessonId: number): Promise<number> {
  const { rows } = await sql`
    with lesson as materialized (
      select deleted_at from lessons where id = ${lessonId} and deleted_at is not null for no key update
    )
    update comments m set deleted_at = lesson.deleted_at, deleted_by = null
    from lesson
    where m.id in (
      select c.id from comments c where c.lesson_id = ${lessonId} and c.deleted_at is null
      order by c.id desc limit ${sql.lit(BATCH)}
    )
    returning m.id`.execute(db)
  return rows.length
}

/** Returns true if the comment exists and isn't deleted. */
export async function isLivingComment(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql`select from comments where id = ${id} and deleted_at is null`.execute(
    tx,
  )
  return rows.length > 0
}
