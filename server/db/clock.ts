/**
 * The time of the database, which all processes share: a machine whose clock is wrong would date locks, waits and
 * sessions into the past or the future of the others.
 */
import type { Pool } from 'pg'
import type { Clock } from '#server/kernel/clock.ts'
import type { Log } from '#server/kernel/log.ts'

export interface DatabaseClock extends Clock {
  /** Asks the database for its time again and again. Answers what ends that. */
  follow(pool: Pick<Pool, 'query'>): () => Promise<void>
}

/** The time of the database now. */
export async function readTime(pool: Pick<Pool, 'query'>): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
  return rows[0]?.now ?? new Date()
}

const ASK_AGAIN_MS = 10_000
/** Milliseconds. An answer that took longer says too little about the time. */
const LONGEST_ANSWER = 2000

/**
 * Asks for the time once and counts on by the monotonic clock of the process, so that no step of the machine's clock
 * changes it. @throws what the database throws
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
