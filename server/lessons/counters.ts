/** The number of a lesson's comments, moved by parts of their statements. */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import { isReadable } from '#server/items/entitlement.ts'

/**
 * First part, to stand after `with`: `item (id, owner_id)`, the lesson, locked, that is there or left to its buyers, so
 * that its comments can still be taken away; no row when there is none.
 */
export function readableLessonCte(lessonId: number): RawBuilder<unknown> {
  return sql`item as materialized (
    select l.id, l.owner_id from lessons l where l.id = ${lessonId} and ${isReadable('l')} for no key update
  )`
}

/**
 * Last part of a statement that adds or takes away comments, to stand after `changed (lesson_id)`: counts the rows
 * there at their lessons, which must be locked.
 */
export function lessonCommentsCte(delta: 1 | -1): RawBuilder<unknown> {
  return sql`counted as (
    update lessons set comments = lessons.comments + moved.comments from (
      select lesson_id, ${sql.lit(delta)} * count(*)::integer as comments from changed group by lesson_id
    ) moved where lessons.id = moved.lesson_id
  )`
}

/** Moves the numbers of comments of lessons that the transaction has locked. */
export async function addToLessonComments(
  tx: Tx,
  moves: readonly { readonly lessonId: number; readonly delta: number }[],
): Promise<void> {
  const lessons = moves.map(({ lessonId }) => lessonId)
  const deltas = moves.map(({ delta }) => delta)
  await sql`
    update lessons set comments = lessons.comments + move.delta
    from unnest(${lessons}::bigint[], ${deltas}::integer[]) as move (lesson_id, delta)
    where lessons.id = move.lesson_id`.execute(tx)
}
