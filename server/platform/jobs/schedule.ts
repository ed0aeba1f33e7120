/**
 * Queues the recurring jobs every minute, once over all processes. The library does that by the clock of the
 * process, and one whose clock was ahead stopped all recurring jobs; this uses the database's time. It uses the
 * library's table, so that processes of earlier versions share the schedule.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { DbOrTx } from '#server/platform/db/connect.ts'
import type { Log } from '#server/kernel/log.ts'

const RETRY_MS = 5000
/** In ms after the minute has begun. */
const SPARE_MS = 20

/**
 * Schedules the jobs that are due, or all of them with `all`, and returns the ms until the next minute. A time in
 * the future, written by a wrong clock, counts as due. A job that already waits keeps its position.
 */
export async function scheduleJobs(
  pool: Pick<Pool, 'query'>,
  names: readonly string[],
  { all = false } = {},
): Promise<number> {
  const { rows } = await pool.query<{ rest: number }>(SCHEDULE, [names, all])
  return (rows[0]?.rest ?? 0) + SPARE_MS
}

const SCHEDULE = `
  with gone as (
    delete from graphile_worker._private_known_crontabs where identifier <> all($1::text[])
  ), due as (
    insert into graphile_worker._private_known_crontabs as known (identifier, known_since, last_execution)
    select name, now(), date_trunc('minute', now()) from unnest($1::text[]) name order by name
    on conflict (identifier) do update
    set last_execution = excluded.last_execution, known_since = least(known.known_since, now())
    where $2 or known.last_execution is null or known.last_execution < excluded.last_execution
      or known.last_execution > now()
    returning identifier
  ), added as (
    select graphile_worker.add_job(
      identifier, payload := '{}'::json, run_at := now(), max_attempts := 1, job_key := identifier
    ) from due where not exists (
      select from graphile_worker._private_jobs j where j.key = due.identifier and j.locked_at is null
        and j.attempts < j.max_attempts and j.run_at <= now()
    )
  )
  select (60000 - extract(epoch from clock_timestamp() - date_trunc('minute', clock_timestamp())) * 1000)::int as rest,
    (select count(*) from added) as added`

export async function keepScheduling(
  pool: Pick<Pool, 'query'>,
  names: readonly string[],
  { log, signal }: { readonly log: Pick<Log, 'warn'>; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const rest = await scheduleJobs(pool, names).catch((error: unknown) => {
      log.warn({ err: error }, 'the recurring jobs could not be scheduled')
      return RETRY_MS
    })
    await wait(rest, null, { signal, ref: false }).catch(() => undefined)
  }
}

/** Recurring jobs that weren't scheduled for five minutes, or have waited longer than that. */
export interface Overdue {
  readonly names: readonly string[]
  /** No process has ever worked on the jobs. */
  readonly isNew: boolean
}

/** Reads the few rows of the schedule. */
export async function findOverdueJobs(db: DbOrTx): Promise<Overdue> {
  const { rows } = await sql<{ name: string; late: boolean }>`
    select known.identifier as name,
      coalesce(known.last_execution, known.known_since) not between now() - interval '5 minutes' and now() + interval '1 minute'
        or exists (
          select from graphile_worker._private_jobs j where j.key = known.identifier and j.locked_at is null
            and (j.run_at > now() + interval '1 minute' or (j.attempts < j.max_attempts and j.run_at < now() - interval '5 minutes'))
        ) as late
    from graphile_worker._private_known_crontabs known order by 1`.execute(db)
  return {
    names: rows.filter(({ late }) => late).map(({ name }) => name),
    isNew: rows.length === 0,
  }
}

const NAMED = 3

/** The message for `/readyz` and the doctor. */
export function overdueWords(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return `recurring jobs are overdue (${names.slice(0, NAMED).join(', ')}${more}): see that a process works on the jobs (JOBS, npm run worker), and its log`
}
