/**
 * Makes the daily backup to BACKUP_URL: once a day over all processes, from one o'clock UTC, and again an hour
 * after a failure. It runs in a process of its own, so that it doesn't slow down the site.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { beginRun, endLostRuns, endRun, findRuns, type Runs } from '#server/operate/backup/store.ts'
import { jobKind, NoPayload, type JobContext } from '#server/platform/jobs/job.ts'
import { utcDay } from '#server/kernel/clock.ts'
import type { Core } from '#server/platform/core/core.ts'

/** Runs every minute; mostly there is nothing to do. */
export const DAILY_BACKUP = jobKind('dailyBackup', NoPayload)

const HOUR_MS = 60 * 60 * 1000
/** In UTC; the nightly audit runs later. */
const BEGIN_HOUR = 1
/** A backup that takes longer hangs, or would collide with the next one. */
const DEADLINE_MS = 20 * HOUR_MS
/** From the request to end to the kill. */
const GRACE_MS = 60_000
const SCRIPT = join(import.meta.dirname, '..', '..', '..', 'scripts', 'backup.ts')

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

/**
 * Makes today's backup if it is missing, and logs the result. Gives up when the process stops.
 * @throws Error if it could not be made, so that the job fails too
 */
export async function backUpDaily(
  { db, clock, config, log }: Pick<Core, 'db' | 'clock' | 'config' | 'log'>,
  { signal }: Pick<JobContext, 'signal'>,
  deadlineMs = DEADLINE_MS,
): Promise<void> {
  if (config.BACKUP_URL === undefined) return
  const now = clock.now()
  await endLostRuns(db, now)
  const before = await findRuns(db)
  if (!isDue(before, now)) return
  const said = await runApart(signal, deadlineMs)
  await endLostRuns(db, clock.now())
  const { last, isBeingMade } = await findRuns(db)
  const isNew = last !== null && last.began !== before.last?.began
  if (!isNew) {
    // A process on another machine was faster.
    if (isBeingMade) return
    log.error({ error: said }, 'the daily backup could not be begun')
    const run = await beginRun(db, { daily: true, place: 'BACKUP_URL', name: '' }, now)
    await endRun(db, run, { error: said }, clock.now())
    throw new Error(`the daily backup could not be begun: ${said}`)
  }
  const { place, name, bytes, error, began, ended } = last
  const seconds = Math.round((Date.parse(ended ?? began) - Date.parse(began)) / 1000)
  if (bytes === null) {
    log.error({ place, name, seconds, error }, 'the daily backup failed')
    throw new Error(`the daily backup failed: ${error ?? said}`)
  }
  log.info({ place, name, seconds, bytes }, 'the daily backup was made')
}

/** Returns the error output. After the deadline the process is asked to end, and then killed. */
async function runApart(signal: AbortSignal, deadlineMs: number): Promise<string> {
  const child = spawn(process.execPath, [SCRIPT, '--daily'], {
    // The IPC channel tells it when this process has ended.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let said = ''
  child.stderr?.on('data', (piece: Buffer) => {
    said = `${said}${piece.toString()}`.slice(-1000)
  })
  const stop = () => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop, { once: true })
  const late = setTimeout(stop, deadlineMs)
  const lost = setTimeout(() => child.kill('SIGKILL'), deadlineMs + GRACE_MS)
  try {
    await once(child, 'close')
  } catch (error) {
    said = error instanceof Error ? error.message : String(error)
  } finally {
    clearTimeout(late)
    clearTimeout(lost)
    signal.removeEventListener('abort', stop)
  }
  return said.trim()
}
