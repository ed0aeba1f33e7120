/**
 * Ensures that one request at a time writes a resumable upload, on all nodes. Within a process the library's own
 * lock suffices; between nodes it is a lease in the upload's row, which the holder renews. This holds no database
 * connection, so it works behind a pooler, and the lease of a killed node expires.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { MemoryLocker, type Lock, type Locker } from '@tus/server'
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'
import { unavailable } from '#server/kernel/errors.ts'
import type { Log } from '#server/kernel/log.ts'

/** In ms. */
interface Times {
  /** Nobody else writes for this long after the last renewal. */
  readonly lease: number
  readonly renewal: number
  /**
   * A holder that couldn't renew for this long stops. Together with the library's time for running work (3 s) and
   * the timeout of a statement, that is before the lease ends.
   */
  readonly patience: number
  readonly poll: number
  /** A waiting request gives up after this, which is longer than the lease of a killed node. */
  readonly wait: number
}

const TIMES: Times = { lease: 12_000, renewal: 1000, patience: 6000, poll: 250, wait: 20_000 }
const RETRY_SECONDS = 5

/** Called when somebody else waits, or when the lock may be lost: running work must end. */
type RequestRelease = () => void | Promise<void>

/** The library's locks. `lock` throws Refusal 503 when the holder doesn't release it in time. */
export function createUploadLocks(db: Db, log: Pick<Log, 'warn'>): Locker {
  const here = new MemoryLocker({ acquireLockTimeout: TIMES.wait })
  return {
    newLock: (id): Lock => {
      const own = here.newLock(id)
      const holder = randomUUID()
      const ended = new AbortController()
      return {
        lock: async (signal, requestRelease) => {
          await own.lock(signal, requestRelease)
          try {
            await take(db, id, holder, signal)
          } catch (error) {
            await own.unlock()
            throw error
          }
          renew(db, { id, holder, requestRelease, signal: ended.signal }).catch((error: unknown) =>
            log.warn({ err: error }, 'the lock of an upload is not renewed any more'),
          )
        },
        unlock: async () => {
          ended.abort()
          // The data is written; a lock that can't be released expires.
          await release(db, id, holder).catch((error: unknown) =>
            log.warn({ err: error }, 'the lock of an upload runs out by itself'),
          )
          await own.unlock()
        },
      }
    },
  }
}

/** Waits until the row is free and takes it. A missing row has no holder, and the library reports it itself. */
async function take(db: Db, id: string, holder: string, signal: AbortSignal): Promise<void> {
  const end = performance.now() + TIMES.wait
  for (;;) {
    const { rows } = await sql<{ taken: boolean }>`
      with free as (
        select id, holder is null or held_until < now() as yes from uploads where id = ${id} for update
      )
      update uploads u set
        holder = case when f.yes then ${holder} else u.holder end,
        held_until = case when f.yes then now() + ${TIMES.lease} * interval '1 ms' else u.held_until end,
        is_wanted = not f.yes
      from free f where u.id = f.id
      returning f.yes as taken`.execute(db)
    if (rows[0]?.taken ?? true) return
    if (signal.aborted || performance.now() > end) throw unavailable(RETRY_SECONDS)
    await sleep(TIMES.poll)
  }
}

interface Held {
  readonly id: string
  readonly holder: string
  readonly requestRelease: RequestRelease
  /** Aborts when the lock is released. */
  readonly signal: AbortSignal
}

/**
 * Renews the lease until the lock is released. Asks the holder once to stop when somebody else waits or the lock
 * may be lost.
 */
async function renew(db: Db, { id, holder, requestRelease, signal }: Held): Promise<void> {
  let renewedAt = performance.now()
  let isAsked = false
  const ask = async () => {
    if (isAsked || signal.aborted) return
    isAsked = true
    await requestRelease()
  }
  while (!signal.aborted) {
    await sleep(TIMES.renewal, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal.aborted) return
    try {
      const { rows } = await sql<{ is_wanted: boolean }>`
        update uploads set held_until = now() + ${TIMES.lease} * interval '1 ms'
        where id = ${id} and holder = ${holder} returning is_wanted`.execute(db)
      renewedAt = performance.now()
      // Without a row, the upload was removed or somebody else has taken the lock.
      if (rows[0]?.is_wanted ?? true) await ask()
    } catch {
      if (performance.now() - renewedAt > TIMES.patience) await ask()
    }
  }
}

async function release(db: Db, id: string, holder: string): Promise<void> {
  await sql`
    update uploads set holder = null, held_until = null, is_wanted = false
    where id = ${id} and holder = ${holder}`.execute(db)
}
