/**
 * The daily backup to BACKUP_URL: once a day over all processes, from one o'clock UTC, and again an hour after one that
 * failed. It is made by a process of its own, so that nobody who uses the site waits for it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import heap from '#server/backup/heap.json' with { type: 'json' }
import { beginRun, endLostRuns, endRun, findRuns, type Runs } from '#server/backup/store.ts'
import { jobKind, NoPayload, type JobContext } from '#server/jobs/job.ts'
import { utcDay } from '#server/kernel/clock.ts'
import type { Core } from '#server/kernel/core.ts'

/** Runs every minute; mostly there is nothing to do. */
export const DAILY_BACKUP = jobKind('dailyBackup', NoPayload)

const HOUR_MS = 60 * 60 * 1000
/** UTC: the audit of the night comes afterwards. */
const BEGIN_HOUR = 1
const SCRIPT = join(import.meta.dirname, '..', '..', 'scripts', 'backup.ts')

/** Whether the daily backup is to be made now. */
export function isDue(
  {
    dailyMadeAt,
    dailyTriedAt,
    isBeingMade,
  }: Pick<Runs, 'dailyMadeAt' | 'dailyTriedAt' | 'isBeingMade'>,
  now: Date,
): boolean {
  const dayOf = (at: Date) => utcDay(new Date(at.getTime() - BEGIN_HOUR * HOUR_MS))
  if (isBeingMade || (dailyMadeAt !== null && dayOf(dailyMadeAt) >= dayOf(now))) return false
  return dailyTriedAt === null || now.getTime() - dailyTriedAt.getTime() >= HOUR_MS
}

/** Makes the backup of today unless it was made, and logs how it ended. A process that stops gives it up. */
export async function backUpDaily(
  { db, clock, config, log }: Pick<Core, 'db' | 'clock' | 'config' | 'log'>,
  { signal }: Pick<JobContext, 'signal'>,
): Promise<void> {
  if (config.BACKUP_URL === undefined) return
  const now = clock.now()
  await endLostRuns(db, now)
  const before = await findRuns(db)
  if (!isDue(before, now)) return
  const said = await runApart(signal)
  await endLostRuns(db, clock.now())
  const { last, isBeingMade } = await findRuns(db)
  const isNew = last !== null && last.began !== before.last?.began
  if (!isNew) {
    // Another process of another machine was faster.
    if (isBeingMade) return
    log.error({ error: said }, 'the daily backup could not be begun')
    const run = await beginRun(db, { daily: true, place: 'BACKUP_URL', name: '' }, now)
    return endRun(db, run, { error: said }, clock.now())
  }
  const { place, name, bytes, error, began, ended } = last
  const seconds = Math.round((Date.parse(ended ?? began) - Date.parse(began)) / 1000)
  if (bytes === null) log.error({ place, name, seconds, error }, 'the daily backup failed')
  else log.info({ place, name, seconds, bytes }, 'the daily backup was made')
}

/** Answers what it said of what went wrong. */
async function runApart(signal: AbortSignal): Promise<string> {
  const child = spawn(process.execPath, [...heap, SCRIPT, '--daily'], {
    // By the channel it knows when this process is gone.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let said = ''
  child.stderr?.on('data', (piece: Buffer) => {
    said = `${said}${piece.toString()}`.slice(-1000)
  })
  const stop = () => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop, { once: true })
  try {
    await once(child, 'close')
  } catch (error) {
    said = error instanceof Error ? error.message : String(error)
  } finally {
    signal.removeEventListener('abort', stop)
  }
  return said.trim()
}
