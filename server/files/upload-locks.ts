/**
 * Who writes an upload in pieces: one request at a time, on all nodes. Within a process the library's own lock does
 * that; between nodes it is the row of the upload, for a time that the holder renews. A connection of the database is
 * not held meanwhile, so it works behind a pooler, and what a killed node held is free again by itself.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { MemoryLocker, type Lock, type Locker } from '@tus/server'
import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { unavailable } from '#server/kernel/errors.ts'
import type { Log } from '#server/kernel/log.ts'

/** Milliseconds. */
interface Times {
  /** Nobody else writes for so long after the last renewal. */
  readonly lease: number
  readonly renewal: number
  /**
   * A holder that could not renew for so long ends: with the time that the library gives what is under way (3 s), and
   * that of a statement that hangs, it is over before the lease is.
   */
  readonly patience: number
  readonly poll: number
  /** A waiting request gives up: later than the lease of a node that was killed. */
  readonly wait: number
}

const TIMES: Times = { lease: 12_000, renewal: 1000, patience: 6000, poll: 250, wait: 20_000 }
const RETRY_SECONDS = 5

/** Told when somebody else waits, or when the lock may be lost: what is under way is to end. */
type RequestRelease = () => void | Promise<void>

/** The lock of uploads for the library. Its `lock` throws Refusal 503 when the holder does not let go in time. */
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
          // What was written is written: a lock that can't be given back runs out.
          await release(db, id, holder).catch((error: unknown) =>
            log.warn({ err: error }, 'the lock of an upload runs out by itself'),
          )
          await own.unlock()
        },
      }
    },
  }
}

/** Waits until the row is free and takes it. One that is gone has no holder: the library finds that itself. */
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
  /** Aborted when the lock is given back. */
  readonly signal: AbortSignal
}

/** Renews until the lock is given back; asks its holder once to end when another waits, or the lock may be lost. */
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
      // No row: it was removed, or taken by another.
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
