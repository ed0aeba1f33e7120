import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/connect.ts'
import { isReadable } from '#server/items/shared/entitlement.ts'

/**
 * Locks a living lesson, or one left to its buyers, before its comments change. Returns false if there is none.
 */
export async function lockReadableLesson(tx: Tx, lessonId: number): Promise<boolean> {
  const { rows } = await sql`
    select from lessons l where l.id = ${lessonId} and ${isReadable('l')} for no key update`.execute(
    tx,
  )
  return rows.length > 0
}

/** The transaction must have locked the lessons. */
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
