/**
 * Jobs and mails that wait in the database, and the results of backups and audits. Every node shows the same
 * numbers, so aggregate with max, not sum.
 */
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

/** Results of the daily backup and the nightly audit. */
export interface Upkeep {
  /** Null where backups are made elsewhere. */
  readonly backups: {
    readonly isConfigured: boolean
    readonly error: string | null
    readonly ageMs: number | null
  } | null
  readonly audit: { readonly findings: number; readonly ageMs: number | null }
}

export interface StoredSources {
  readonly jobs: () => Promise<WaitingJobs>
  readonly mails: () => Promise<WaitingMails>
  readonly upkeep: () => Promise<Upkeep>
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
  const waiting = gauge('bazaar_jobs_waiting', 'Jobs that are due and have not begun, by name', [
    'name',
  ])
  const failed = gauge('bazaar_jobs_failed', 'Jobs that were given up, by name', ['name'])
  const age = gauge(
    'bazaar_jobs_oldest_waiting_seconds',
    'Seconds that the oldest due job has waited',
  )
  const workers = gauge('bazaar_job_workers', 'Processes that run jobs, of all nodes')
  const mails = gauge('bazaar_mails', 'Mails in the outbox, by state (waiting, failed)', ['state'])
  const mailAge = gauge(
    'bazaar_mails_oldest_waiting_seconds',
    'Seconds that the oldest due mail has waited; absent without SMTP_URL',
  )
  const configured = gauge(
    'bazaar_backups_configured',
    '1 with BACKUP_URL, else 0; absent where backups are made elsewhere',
  )
  const backupFailed = gauge('bazaar_backup_failed', '1 if the last daily backup failed, else 0')
  const backupAge = gauge(
    'bazaar_backup_age_seconds',
    'Seconds since the last backup was begun that was completed; absent if there is none',
  )
  const auditFindings = gauge('bazaar_audit_findings', 'Broken rules that the last audit found')
  const auditAge = gauge('bazaar_audit_age_seconds', 'Seconds since the last audit')
  const upkeepGauges = [configured, backupFailed, backupAge, auditFindings, auditAge]
  const showUpkeep = ({ backups, audit }: Upkeep) => {
    for (const each of upkeepGauges) each.remove()
    if (backups !== null) {
      configured.set(backups.isConfigured ? 1 : 0)
      backupFailed.set(backups.error === null ? 0 : 1)
      if (backups.ageMs !== null) backupAge.set(backups.ageMs / 1000)
    }
    auditFindings.set(audit.findings)
    if (audit.ageMs !== null) auditAge.set(audit.ageMs / 1000)
  }
  const hide = () => {
    for (const each of [waiting, failed, mails]) each.reset()
    for (const each of [age, workers, mailAge, ...upkeepGauges]) each.remove()
  }
  hide()
  let countedAt = -Infinity
  let counting: Promise<void> | null = null

  const count = async (): Promise<void> => {
    const [jobs, outbox, upkeep] = await Promise.all([
      sources.jobs(),
      sources.mails(),
      sources.upkeep(),
    ])
    showUpkeep(upkeep)
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
