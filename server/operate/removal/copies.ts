/** Deletes lessons that moderators removed as copies, when no appeal can restore them any more. */
import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { isRemovedAsCopy } from '#server/items/flags/store.ts'
import { lockCoursesOf } from '#server/items/courses/store.ts'
import { lockReadableLesson } from '#server/items/lessons/store.ts'
import { undoLesson } from '#server/operate/removal/removal.ts'
import { pendingSubjects } from '#server/people/moderation/appeals/pending.ts'
import { keptSince } from '#server/people/moderation/undo.ts'

/** Each lesson has its own transaction, so that the work can be interrupted anywhere. */
export async function deleteHiddenCopies({
  db,
  clock,
}: {
  readonly db: Db
  readonly clock: Clock
}): Promise<void> {
  const now = clock.now()
  const { rows } = await sql<{ id: number }>`
    select distinct l.id from flags f join lessons l on l.id = case when f.kind = 'lesson' then f.subject_id::bigint end
    where f.outcome = 'removed' and f.closed_at < ${keptSince(now)} and l.kept_for_buyers
      and l.id::text not in (${pendingSubjects(['copyRemoved'], now)})`.execute(db)
  for (const { id } of rows) await db.transaction().execute((tx) => deleteCopy(tx, id, now))
}

async function deleteCopy(tx: Tx, id: number, deletedAt: Date): Promise<void> {
  const lesson = await lockReadableLesson(tx, id)
  // Somebody may have taken the decision back meanwhile.
  if (lesson === null || !(await isRemovedAsCopy(tx, id))) return
  const courses = await lockCoursesOf(tx, id)
  // A course must have at least one lesson, so the last one stays hidden.
  if (courses.some(({ listed, lessons }) => listed && lessons <= 1)) return
  await undoLesson(tx, { id, title: lesson.title, ownerId: lesson.ownerId, courses, deletedAt })
}
