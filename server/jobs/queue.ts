/** Jobs begin here: put into the queue in the caller's transaction, so that they come with what caused them or not at all. */
import { runMigrations } from 'graphile-worker'
import { sql } from 'kysely'
import type pg from 'pg'
import type { DbOrTx } from '#server/db/connect.ts'
import type { JobKind, JobPayload } from '#server/jobs/job.ts'
import type { Log } from '#server/kernel/log.ts'
import { toQueueLogger } from '#server/jobs/queue-log.ts'

export interface JobOptions {
  /** A job of the same key that has not begun is replaced. */
  readonly key?: string
  /** At once unless given. */
  readonly runAt?: Date
  /** Attempts until it is given up; 25 unless given, which takes about three days. */
  readonly attempts?: number
  /** Begins only when no other job is due: for what comes in great numbers and waits for somebody else's server. */
  readonly yields?: boolean
}

/** Brings the queue's own tables up to date; safe for several processes at once. */
export async function migrateQueue(pool: pg.Pool, log: Log): Promise<void> {
  await runMigrations({ pgPool: pool, logger: toQueueLogger(log) })
}

/** Puts a job into the queue; it begins when the transaction has committed, and never when that fails. */
export async function addJobLater<Payload extends JobPayload>(
  db: DbOrTx,
  { name }: JobKind<Payload>,
  payload: Payload,
  { key, runAt, attempts, yields }: JobOptions = {},
): Promise<void> {
  await sql`
    select graphile_worker.add_job(
      ${name}, payload := ${JSON.stringify(payload)}::json, run_at := ${runAt ?? null}::timestamptz,
      max_attempts := ${attempts ?? null}::int, job_key := ${key ?? null},
      priority := ${yields === true ? 1 : 0}::int
    )`.execute(db)
}
