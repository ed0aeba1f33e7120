/** The number of a lesson's comments. */
import { sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import { isReadable } from '#server/items/entitlement.ts'

/**
 * Locks a lesson that is there, or left to its buyers, so that its comments can be added and taken away. Returns false
 * when there is none.
 */
export async function lockReadableLesson(tx: Tx, lessonId: number): Promise<boolean> {
  const { rows } = await sql`
    select from lessons l where l.id = ${lessonId} and ${isReadable('l')} for no key update`.execute(
    tx,
  )
  return rows.length > 0
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
