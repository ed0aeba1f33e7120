/** Jobs begin here: put into the queue in the caller's transaction, so that they come with what caused them or not at all. */
import { runMigrations } from 'graphile-worker'
import { sql } from 'kysely'
import type pg from 'pg'
import type { DbOrTx, Tx } from '#server/db/connect.ts'
import type { JobKind, JobPayload } from '#server/jobs/job.ts'
import type { Log } from '#server/kernel/log.ts'
import { spanUnderWay, TRACEPARENT } from '#server/kernel/traces/spans.ts'
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

interface ManyOptions extends Pick<JobOptions, 'attempts' | 'yields'> {
  /**
   * Jobs of the same queue run one after the other, on all workers. Whoever adds to one waits until others who did have
   * committed, so with a queue this is the last thing that a transaction does.
   */
  readonly queue?: string
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
      ${name}, payload := ${JSON.stringify(carried(payload))}::json, run_at := ${runAt ?? null}::timestamptz,
      max_attempts := ${attempts ?? null}::int, job_key := ${key ?? null},
      priority := ${yields === true ? 1 : 0}::int
    )`.execute(db)
}

/**
 * Takes the jobs of these keys out of the queue with the transaction; one that runs at this moment goes on. (The
 * library's own `remove_job` would leave one that runs and fails in the queue for good.)
 */
export async function removeJobs(tx: Tx, keys: readonly string[]): Promise<void> {
  await sql`
    select graphile_worker.complete_jobs(array(
      select id from graphile_worker._private_jobs where key = any(${[...keys]}) and locked_at is null
    ))`.execute(tx)
}

/** Puts many of a kind into the queue with one statement. */
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
    ) from json_array_elements(${JSON.stringify(payloads.map(carried))}::json) payload`.execute(db)
}

/** With what queued it, which is above it in its trace; whoever judges the payload leaves the field out. */
function carried(payload: JobPayload): JobPayload {
  const above = spanUnderWay()
  return above === undefined ? payload : { ...payload, [TRACEPARENT]: above.traceparent() }
}
