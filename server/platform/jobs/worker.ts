/** Runs the jobs of the queue: several at once, some every minute. Knows no job by name. */
import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { run, runTaskListOnce, type Runner, type TaskList } from 'graphile-worker'
import type pg from 'pg'
import type { ClientConfig } from 'pg'
import { openPool } from '#server/platform/db/pool.ts'
import { waitForDatabase } from '#server/platform/db/waiting.ts'
import { startKeepalive } from '#server/platform/db/wire.ts'
import type { Job } from '#server/platform/jobs/job.ts'
import { holdLiveness, type WatchTimes } from '#server/platform/jobs/liveness.ts'
import { toQueueLogger } from '#server/platform/jobs/queue-log.ts'
import { keepScheduling, scheduleJobs } from '#server/platform/jobs/schedule.ts'
import type { Log } from '#server/kernel/log.ts'

/** The metrics of kernel/metrics/metrics.ts that it uses. */
interface JobMetrics {
  readonly jobs: { inc(labels: { name: string; result: 'done' | 'failed' }): void }
  readonly jobSeconds: { observe(labels: { name: string }, seconds: number): void }
}

export interface WorkerOptions {
  /** Bypasses a pooler, because it uses LISTEN and session locks. */
  readonly connection: ClientConfig
  readonly jobs: readonly Job[]
  readonly log: Log
  /** Counts completed jobs; absent where nobody reads the metrics. */
  readonly metrics?: JobMetrics
  /** Tests set shorter times. */
  readonly watch?: WatchTimes
}

export interface JobWorker {
  /** Waits for running jobs, then asks them to end, and gives them back to the queue after `patienceMs`. */
  stop(patienceMs?: number): Promise<void>
}

/** Concurrent jobs; most wait for something other than this process. */
export const JOBS_AT_ONCE = 3
/** In ms after a stop: running jobs are asked to end, and then given back to the queue. */
const ABORT_MS = 1500
const GIVE_BACK_MS = 2500
/** In ms: how long after losing the database the runner is restarted. */
const AGAIN_MS = 1000

/**
 * Runs jobs until it is stopped. If the database is lost, retries every second, so that the worker needn't be
 * restarted.
 * @throws StartFailure when the database can't be used for a minute, and other errors of the queue
 */
export async function startWorker(options: WorkerOptions): Promise<JobWorker> {
  const { connection, log } = options
  const pool = openPool(connection, log, { work: 'jobs', size: JOBS_AT_ONCE + 2 })
  const events = new EventEmitter()
  watchListener(events)
  const liveness = holdLiveness(connection, events, log, options.watch)
  const stopping = new AbortController()
  const begin = () => startRunner(pool, options, events)
  let runner = await waitForDatabase(begin, { say: (line) => log.warn(line) })
  const restarting = restartWhenItEnds()
  const { signal } = stopping
  const scheduling = keepScheduling(pool, recurringNames(options.jobs), { log, signal })

  /** A runner ends when the database is lost; then this starts the next one. */
  async function restartWhenItEnds(): Promise<void> {
    for (;;) {
      await runner.promise.catch(() => undefined)
      liveness.forget()
      for (;;) {
        if (stopping.signal.aborted) return
        log.warn('the queue of jobs stopped; it starts again')
        await wait(AGAIN_MS, null, { signal: stopping.signal }).catch(() => undefined)
        const next = await startRunner(pool, options, events).catch(() => null)
        if (next === null) continue
        runner = next
        // The process may have been asked to stop while the runner started.
        if (stopping.signal.aborted) await runner.stop().catch(() => undefined)
        break
      }
    }
  }

  return {
    stop: async (patienceMs = GIVE_BACK_MS) => {
      stopping.abort()
      await scheduling
      const ended = runner
        .stop()
        .catch(() => undefined)
        .then(() => restarting)
      const late = new AbortController()
      const isLate = wait(patienceMs, true, { signal: late.signal }).catch(() => false)
      if ((await Promise.race([ended, isLate])) === true) {
        log.warn('jobs that did not end in time are given back')
        await liveness.giveBack()
        await liveness.stop()
        // The connection of a job that hangs is closed with the process.
        void pool.end().catch(() => undefined)
        return
      }
      late.abort()
      await liveness.stop()
      await pool.end()
    },
  }
}

/** Sends keepalive queries on the queue's LISTEN connection until it is released. */
function watchListener(events: EventEmitter): void {
  const stops = new WeakMap<pg.ClientBase, () => void>()
  interface Listening {
    readonly client: pg.ClientBase
  }
  events.on('pool:listen:success', ({ client }: Listening) =>
    stops.set(client, startKeepalive(client)),
  )
  events.on('pool:listen:release', ({ client }: Listening) => stops.get(client)?.())
}

async function startRunner(
  pool: pg.Pool,
  { jobs, log, metrics }: WorkerOptions,
  events: EventEmitter,
): Promise<Runner> {
  const runner = await run({
    pgPool: pool,
    // Uses batches, even if only for a moment: if the completion of a job can't be written, the runner then ends
    // and the next one starts. Without batches it becomes an unhandled rejection, which ends the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList: toTaskList(jobs, log, metrics),
    // schedule.ts schedules recurring jobs instead.
    parsedCronItems: [],
    concurrency: JOBS_AT_ONCE,
    gracefulShutdownAbortTimeout: ABORT_MS,
    noHandleSignals: true,
    logger: toQueueLogger(log),
    events,
  })
  await scheduleJobs(pool, recurringNames(jobs), { all: true }).catch(() => undefined)
  return runner
}

const recurringNames = (jobs: readonly Job[]): string[] =>
  jobs.filter(({ recurs }) => recurs).map(({ name }) => name)

/** Runs the due jobs one after the other until none is left, for tests. */
export async function runJobsOnce(pool: pg.Pool, jobs: readonly Job[], log: Log): Promise<void> {
  const client = await pool.connect()
  try {
    await runTaskListOnce({ logger: toQueueLogger(log) }, toTaskList(jobs, log), client)
  } finally {
    client.release()
  }
}

function toTaskList(jobs: readonly Job[], log: Log, metrics?: JobMetrics): TaskList {
  return Object.fromEntries(
    jobs.map((each) => [
      each.name,
      async (payload, { job, abortSignal }) => {
        const { attempts: attempt, max_attempts: maxAttempts } = job
        const beganAt = performance.now()
        try {
          await each.run(payload, { signal: abortSignal, attempt, maxAttempts })
        } catch (error) {
          log.warn({ err: error, job: each.name, id: job.id, attempt, maxAttempts }, 'a job failed')
          metrics?.jobs.inc({ name: each.name, result: 'failed' })
          throw error
        } finally {
          metrics?.jobSeconds.observe({ name: each.name }, (performance.now() - beganAt) / 1000)
        }
        metrics?.jobs.inc({ name: each.name, result: 'done' })
      },
    ]),
  )
}
