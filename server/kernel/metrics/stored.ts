/** Jobs and mails that wait in the database. Every node shows the same numbers, so aggregate with max, not sum. */
import { Gauge, type Registry } from 'prom-client'
import type { Log } from '#server/kernel/log.ts'

export interface WaitingJobs {
  /** By name: jobs that are due and haven't begun, and jobs that were given up. */
  readonly counts: readonly {
    readonly name: string
    readonly ready: number
    readonly failed: number
  }[]
  /** Age of the oldest due job in seconds. */
  readonly waiting: number
  /** Processes that run jobs. */
  readonly workers: number
}

export interface WaitingMails {
  readonly waiting: number
  readonly failed: number
  /** Age of the oldest due mail in seconds; null where no mails are sent. */
  readonly oldest: number | null
}

export interface StoredSources {
  readonly jobs: () => Promise<WaitingJobs>
  readonly mails: () => Promise<WaitingMails>
}

/** In ms. Counting scans the queue, so it runs at most this often, however many clients ask. */
const EVERY_MS = 10_000
/** In ms. A database that hangs must not block the other metrics, which matter most then. */
const PATIENCE_MS = 2000

/** Shows the gauges only while the database answers in time. */
export function measureStored(
  registry: Registry,
  sources: StoredSources,
  log: Pick<Log, 'warn'>,
): void {
  // The registry calls `collect` of each gauge; the first call refreshes all of them.
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge<string>({ name, help, labelNames, registers: [registry], collect: () => refresh() })
  const waiting = gauge('jobs_waiting', 'Jobs that are due and have not begun, by name', ['name'])
  const failed = gauge('jobs_failed', 'Jobs that were given up, by name', ['name'])
  const age = gauge('jobs_oldest_waiting_seconds', 'Seconds that the oldest due job has waited')
  const workers = gauge('job_workers', 'Processes that run jobs, of all nodes')
  const mails = gauge('mails', 'Mails in the outbox, by state (waiting, failed)', ['state'])
  const mailAge = gauge(
    'mails_oldest_waiting_seconds',
    'Seconds that the oldest due mail has waited; absent without SMTP_URL',
  )
  const hide = () => {
    for (const each of [waiting, failed, mails]) each.reset()
    for (const each of [age, workers, mailAge]) each.remove()
  }
  hide()
  let countedAt = -Infinity
  let counting: Promise<void> | null = null

  const count = async (): Promise<void> => {
    const [jobs, outbox] = await Promise.all([sources.jobs(), sources.mails()])
    waiting.reset()
    failed.reset()
    for (const { name, ready, failed: given } of jobs.counts) {
      waiting.set({ name }, ready)
      failed.set({ name }, given)
    }
    age.set(jobs.waiting)
    workers.set(jobs.workers)
    mails.set({ state: 'waiting' }, outbox.waiting)
    mails.set({ state: 'failed' }, outbox.failed)
    if (outbox.oldest === null) mailAge.remove()
    else mailAge.set(outbox.oldest)
    countedAt = performance.now()
  }
  async function refresh(): Promise<void> {
    if (performance.now() - countedAt < EVERY_MS) return
    counting ??= count()
      .catch((error: unknown) => {
        hide()
        countedAt = performance.now()
        log.warn({ err: error }, 'metrics: jobs and mails could not be counted')
      })
      .finally(() => (counting = null))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)))
    await Promise.race([counting, late]).finally(() => clearTimeout(timer))
  }
}
