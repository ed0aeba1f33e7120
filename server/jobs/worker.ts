/** Runs the jobs of the queue: several at once, some every minute. Knows no job by name. */
import { run, runTaskListOnce, parseCronItems, type TaskList } from 'graphile-worker'
import pg, { type ClientConfig } from 'pg'
import type { Log } from '#server/kernel/log.ts'
import { toQueueLogger } from '#server/jobs/queue-log.ts'

export interface JobContext {
  /** Aborted when the process stops. */
  readonly signal: AbortSignal
  /** 1 the first time. */
  readonly attempt: number
  readonly maxAttempts: number
}

/** Throws when it is to be tried again. The payload is what the job was made with. */
export type JobHandler = (payload: unknown, context: JobContext) => Promise<void>
export type JobHandlers = Readonly<Record<string, JobHandler>>

export interface WorkerOptions {
  /** Past a pooler: it listens. */
  readonly connection: ClientConfig
  readonly handlers: JobHandlers
  /** Names of handlers that also run every minute, and once at the start. */
  readonly everyMinute: readonly string[]
  readonly log: Log
}

export interface JobWorker {
  /** Waits for jobs that are under way. */
  stop(): Promise<void>
}

/** Jobs at once; most wait for something else than this process. */
const CONCURRENCY = 3

export async function startWorker(options: WorkerOptions): Promise<JobWorker> {
  const { connection, handlers, everyMinute, log } = options
  const pool = new pg.Pool({ ...connection, max: CONCURRENCY + 2 })
  pool.on('error', (error) => log.warn({ error: error.message }, 'database connection lost'))
  const runner = await run({
    pgPool: pool,
    taskList: toTaskList(handlers, log),
    parsedCronItems: parseCronItems(
      everyMinute.map((name) => ({
        task: name,
        match: '* * * * *',
        identifier: name,
        options: { jobKey: name, maxAttempts: 1 },
      })),
    ),
    concurrency: CONCURRENCY,
    noHandleSignals: true,
    logger: toQueueLogger(log),
  })
  for (const name of everyMinute) await runner.addJob(name, {}, { jobKey: name, maxAttempts: 1 })
  return {
    stop: async () => {
      await runner.stop()
      await pool.end()
    },
  }
}

/** Runs the jobs that are due, one after the other, until there are none: for tests and the command line. */
export async function runJobsOnce(pool: pg.Pool, handlers: JobHandlers, log: Log): Promise<void> {
  const client = await pool.connect()
  try {
    await runTaskListOnce({ logger: toQueueLogger(log) }, toTaskList(handlers, log), client)
  } finally {
    client.release()
  }
}

function toTaskList(handlers: JobHandlers, log: Log): TaskList {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      async (payload, { job, abortSignal }) => {
        try {
          await handler(payload, {
            signal: abortSignal,
            attempt: job.attempts,
            maxAttempts: job.max_attempts,
          })
        } catch (error) {
          log.warn({ err: error, job: name, id: job.id, attempt: job.attempts }, 'a job failed')
          throw error
        }
      },
    ]),
  )
}
