import { sql } from 'kysely'
import type { DbOrTx } from '#server/platform/db/connect.ts'
import { note, ok, wrong, type Finding } from '#server/operate/doctor/finding.ts'
import { findOverdueJobs, overdueWords } from '#server/platform/jobs/schedule.ts'

/** A stopped installation has no overdue jobs, because they run after the next start. */
export async function examineJobs(db: DbOrTx): Promise<Finding> {
  const { names, isNew } = await findOverdueJobs(db)
  if (isNew) return note('jobs', 'no process has worked on the jobs yet: the start does.')
  if (names.length === 0) return ok('jobs', 'every recurring job was begun within five minutes')
  const { rows } = await sql`
    select from nodes where seen_at > now() - interval '60 seconds' limit 1`.execute(db)
  return rows.length === 0
    ? note('jobs', 'no process runs: recurring jobs wait for the start.')
    : wrong('jobs', `${overdueWords(names)}.`)
}
