/** Queues jobs in the caller's transaction, so that they are queued if and only if it commits. */
import { runMigrations } from 'graphile-worker'
import { sql } from 'kysely'
import type pg from 'pg'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import type { JobKind, JobPayload } from '#server/platform/jobs/job.ts'
import type { Log } from '#server/kernel/log.ts'
import { spanUnderWay, TRACEPARENT } from '#server/kernel/traces/spans.ts'
import { toQueueLogger } from '#server/platform/jobs/queue-log.ts'

export interface JobOptions {
  /** Replaces a job with the same key that hasn't begun. */
  readonly key?: string
  /** Immediately by default. */
  readonly runAt?: Date
  /** Attempts until it is given up; by default 25, which take about three days. */
  readonly attempts?: number
  /** Runs only when no other job is due: for numerous jobs that wait for somebody else's server. */
  readonly yields?: boolean
}

interface ManyOptions extends Pick<JobOptions, 'attempts' | 'yields'> {
  /**
   * Jobs of the same queue run one after the other, on all workers. Adding to a queue waits for other transactions
   * that have added to it, so it must be the last statement of a transaction.
   */
  readonly queue?: string
}

/** Migrates the queue's own tables; safe in several processes at once. */
export async function migrateQueue(pool: pg.Pool, log: Log): Promise<void> {
  await runMigrations({ pgPool: pool, logger: toQueueLogger(log) })
}

/** Queues a job, which runs after the transaction commits. */
export async function addJobLater<Payload extends JobPayload>(
  db: DbOrTx,
  { name }: JobKind<Payload>,
  payload: Payload,
  { key, runAt, attempts, yields }: JobOptions = {},
): Promise<void> {
  await sql`
    select graphile_worker.add_job(
      ${name}, payload := ${JSON.stringify(withTraceparent(payload))}::json, run_at := ${runAt ?? null}::timestamptz,
      max_attempts := ${attempts ?? null}::int, job_key := ${key ?? null},
      priority := ${yields === true ? 1 : 0}::int
    )`.execute(db)
}

/**
 * Removes the jobs with these keys from the queue when the transaction commits; a running one continues. The
 * library's own `remove_job` would leave a running job that fails in the queue forever.
 */
export async function removeJobs(tx: Tx, keys: readonly string[]): Promise<void> {
  await sql`
    select graphile_worker.complete_jobs(array(
      select id from graphile_worker._private_jobs where key = any(${[...keys]}) and locked_at is null
    ))`.execute(tx)
}

/** Queues many jobs of one kind with one statement. */
export async function addJobsLater<Payload extends JobPayload>(
  db: DbOrTx,
  { name }: JobKind<Payload>,
  payloads: readonly Payload[],
  { attempts, yields, queue }: ManyOptions,
): Promise<void> {
  await sql`
    select graphile_worker.add_job(
      ${name}, payload := payload, queue_name := ${queue ?? null}, max_attempts := ${attempts ?? null}::int,
      priority := ${yields === true ? 1 : 0}::int
    ) from json_array_elements(${JSON.stringify(payloads.map(withTraceparent))}::json) payload`.execute(
    db,
  )
}

/** Adds the current span as the job's parent in the trace; payload schemas drop the field. */
function withTraceparent(payload: JobPayload): JobPayload {
  const above = spanUnderWay()
  return above === undefined ? payload : { ...payload, [TRACEPARENT]: above.traceparent() }
}
