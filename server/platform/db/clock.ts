/**
 * Uses the database's time, which all processes share: a machine with a wrong clock would date locks, waits and
 * sessions into the past or future of the others.
 */
import type { Pool } from 'pg'
import type { Clock } from '#server/kernel/clock.ts'
import type { Log } from '#server/kernel/log.ts'

export interface DatabaseClock extends Clock {
  /** Keeps reading the database's time. Returns a function that stops it. */
  follow(pool: Pick<Pool, 'query'>): () => Promise<void>
}

export async function readTime(pool: Pick<Pool, 'query'>): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
  return rows[0]?.now ?? new Date()
}

const ASK_AGAIN_MS = 10_000
/** In ms. A slower response says too little about the time. */
const LONGEST_ANSWER = 2000

/**
 * Reads the time once and continues with the monotonic clock of the process, so that changes of the machine's
 * clock don't affect it. @throws errors of the database
 */
export async function openDatabaseClock(
  pool: Pick<Pool, 'query'>,
  log: Pick<Log, 'debug'>,
): Promise<DatabaseClock> {
  /** The time of the database when `performance.now()` was 0. */
  let origin: number | null = null
  const ask = async () => {
    const before = performance.now()
    const now = await readTime(pool)
    const after = performance.now()
    if (origin !== null && after - before > LONGEST_ANSWER) return
    origin = now.getTime() - (before + after) / 2
  }
  await ask()
  return {
    now: () => new Date(origin === null ? Date.now() : origin + performance.now()),
    follow: (next) => {
      pool = next
      const timer = setInterval(() => {
        ask().catch((error: unknown) => log.debug({ err: error }, 'the time was not read'))
      }, ASK_AGAIN_MS).unref()
      return async () => clearInterval(timer)
    },
  }
}
