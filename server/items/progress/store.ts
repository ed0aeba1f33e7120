/** SQL of progress in lessons. Only this file writes its table. */
import { sql, type RawBuilder } from 'kysely'
import type { LessonProgress } from '#contract/progress.ts'
import type { Db, DbOrTx } from '#server/platform/db/connect.ts'

/** A report as it is stored. A time of null means that the report says nothing about its value. */
export interface StoredReport {
  readonly seconds: number
  readonly length: number
  readonly placedAt: Date | null
  readonly furthest: number
  readonly finished: boolean
  readonly opened: boolean
  readonly marked: boolean | null
  readonly markedAt: Date | null
  readonly seenAt: Date
  /** When the server got the report, which may be days after `seenAt`. */
  readonly receivedAt: Date
}

/**
 * Stores a report about a lesson that is open to the person. The order of reports doesn't matter: the newest place
 * and the newest manual mark win, or the greater if their times are equal; everything else only grows.
 */
export async function storeProgress(
  db: DbOrTx,
  userId: string,
  lessonId: number,
  told: StoredReport,
): Promise<void> {
  const isNewer = sql`(excluded.placed_at, excluded.seconds, excluded.length) > (old.placed_at, old.seconds, old.length)`
  // A missing time sorts before all others.
  const never = '-infinity'
  await sql`
    insert into lesson_progress as old (
      user_id, lesson_id, seconds, length, placed_at, furthest, finished, opened, marked, marked_at, seen_at,
      done_at
    ) values (
      ${userId}, ${lessonId}, ${told.seconds}, ${told.length}, ${told.placedAt ?? never}, ${told.furthest},
      ${told.finished}, ${told.opened}, ${told.marked}, ${told.markedAt ?? never}, ${told.seenAt},
      ${(told.marked ?? told.finished) ? told.receivedAt : null}
    )
    on conflict (user_id, lesson_id) do update set
      seconds = case when ${isNewer} then excluded.seconds else old.seconds end,
      length = case when ${isNewer} then excluded.length else old.length end,
      placed_at = greatest(old.placed_at, excluded.placed_at),
      furthest = greatest(old.furthest, excluded.furthest),
      finished = old.finished or excluded.finished,
      opened = old.opened or excluded.opened,
      marked = case when excluded.marked_at > old.marked_at then excluded.marked
        when excluded.marked_at = old.marked_at then old.marked or excluded.marked else old.marked end,
      marked_at = greatest(old.marked_at, excluded.marked_at),
      seen_at = greatest(old.seen_at, excluded.seen_at),
      -- Rows that were done before the column existed get their former date at the next report.
      done_at = case when ${isDone('old')}
        then coalesce(old.done_at, case when old.marked then old.marked_at else old.placed_at end)
        else coalesce(excluded.done_at, old.done_at) end`.execute(db)
}

/** A condition on the alias of a row of progress: the lesson is done, by a manual mark or by its video. */
export function isDone(alias: string): RawBuilder<boolean> {
  const row = sql.raw(alias)
  return sql<boolean>`coalesce(${row}.marked, ${row}.finished)`
}

interface KnownRow extends Omit<LessonProgress, 'date'> {
  readonly date: Date
}

/** Includes lessons that are no longer open to the person. */
export async function readProgress(
  db: Db,
  viewerId: string,
  lessons: readonly number[],
): Promise<LessonProgress[]> {
  const { rows } = await sql<KnownRow>`
    select p.lesson_id as lesson, p.seconds, p.length, p.furthest, p.opened, ${isDone('p')} as done, p.seen_at as date
    from lesson_progress p
    where p.user_id = ${viewerId} and p.lesson_id = any(${lessons}::bigint[])
    order by p.lesson_id`.execute(db)
  return rows.map(({ date, ...row }) => ({ ...row, date: date.toISOString() }))
}

export async function forgetProgress(db: DbOrTx, userId: string): Promise<void> {
  await sql`delete from lesson_progress where user_id = ${userId}`.execute(db)
}
