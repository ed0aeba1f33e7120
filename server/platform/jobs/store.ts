/**
 * The queue for administrators. The library's view of jobs lacks the payload, so this reads its private table;
 * writes go through its functions.
 */
import { sql } from 'kysely'
import type { FailedJob, JobCount } from '#contract/jobs.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { LOCK_SPACES } from '#server/platform/db/locks.ts'
import { waitUntilEnded } from '#server/platform/jobs/under-way.ts'

/** Counts jobs by name and state, including names that no longer have jobs. Scans the whole queue. */
export async function countJobs(
  db: Db,
): Promise<{ counts: JobCount[]; waiting: number; workers: number }> {
  const { rows } = await sql<{ counts: JobCount[]; waiting: number; workers: number }>`
    with job as materialized (
      select j.task_id, j.run_at, j.locked_at is not null as running,
        j.locked_at is null and j.attempts >= j.max_attempts as failed,
        j.locked_at is null and j.attempts < j.max_attempts as open
      from graphile_worker._private_jobs j
    ), counted as (
      select t.identifier as name,
        count(*) filter (where open and run_at <= now()) as ready,
        count(*) filter (where open and run_at > now()) as later,
        count(*) filter (where running) as running,
        count(*) filter (where failed) as failed
      from graphile_worker._private_tasks t left join job on job.task_id = t.id
      group by t.identifier order by t.identifier
    )
    select (select coalesce(json_agg(counted), '[]') from counted) as counts,
      (
        select coalesce(extract(epoch from now() - min(run_at)), 0)::int from job where open and run_at <= now()
      ) as waiting,
      (
        select count(distinct pid) from pg_locks where locktype = 'advisory' and classid = ${LOCK_SPACES.workers}
          and database = (select oid from pg_database where datname = current_database())
      ) as workers`.execute(db)
  return rows[0] ?? { counts: [], waiting: 0, workers: 0 }
}

/**
 * Finds jobs that failed at least once and aren't done, even while they are retried: those given up first, then
 * the newest.
 */
export async function findFailedJobs(db: Db, page: number): Promise<FailedJob[]> {
  const { rows } = await sql<
    Omit<FailedJob, 'created' | 'date' | 'next'> & { created: Date; date: Date; next: Date | null }
  >`
    select j.id, t.identifier as name, left(j.payload::text, 200) as payload, j.attempts,
      j.max_attempts as "maxAttempts", left(j.last_error, 2000) as "lastError", j.created_at as created,
      j.updated_at as date, j.locked_at is not null as running, case when j.attempts < j.max_attempts then j.run_at end as next
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where j.last_error is not null
    order by j.attempts >= j.max_attempts desc, j.updated_at desc, j.id desc
    limit ${ROWS_PER_PAGE} offset ${(page - 1) * ROWS_PER_PAGE}`.execute(db)
  return rows.map(({ created, date, next, ...job }) => ({
    ...job,
    created: created.toISOString(),
    date: date.toISOString(),
    next: next?.toISOString() ?? null,
  }))
}

/** Makes failed jobs due now, with all their attempts. Returns the names of the affected ones. */
export function rescheduleJobs(tx: Tx, ids: readonly number[]): Promise<string[]> {
  return actOn(
    tx,
    ids,
    (failed) => sql`graphile_worker.reschedule_jobs(${failed}, run_at := now(), attempts := 0)`,
  )
}

/**
 * Waits at most two seconds until none of these jobs runs: a running job can be neither dropped nor rescheduled,
 * and would be skipped silently.
 */
export function waitForRunning(db: Db, ids: readonly number[]): Promise<void> {
  return waitUntilEnded(async () => {
    const { rows } = await sql`
      select from graphile_worker._private_jobs
      where id = any(${ids}::bigint[]) and locked_at is not null limit 1`.execute(db)
    return rows.length === 0
  })
}

/** Removes failed jobs from the queue. Returns the names of the removed ones. */
export function dropJobs(tx: Tx, ids: readonly number[]): Promise<string[]> {
  return actOn(tx, ids, (failed) => sql`graphile_worker.complete_jobs(${failed})`)
}

async function actOn(
  tx: Tx,
  ids: readonly number[],
  act: (failed: ReturnType<typeof sql>) => ReturnType<typeof sql>,
): Promise<string[]> {
  const failed = sql`array(
    select id from graphile_worker._private_jobs
    where id = any(${ids}::bigint[]) and last_error is not null and locked_at is null
  )`
  const { rows } = await sql<{ name: string }>`
    select t.identifier as name from ${act(failed)} acted
    join graphile_worker._private_tasks t on t.id = acted.task_id order by acted.id`.execute(tx)
  return rows.map(({ name }) => name)
}
