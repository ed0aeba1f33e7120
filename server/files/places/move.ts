/** Moves files from one storage to another, under the same keys, while the site runs on both (layers.ts). */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { S3Failure } from '#server/files/s3/failure.ts'
import { hashOfStream, type Storage } from '#server/files/storage.ts'

/** How many files came out how. */
export interface Moved {
  copied: number
  /** They lay there already, with the same content. */
  there: number
  /** Taken from where they were. */
  removed: number
  /** Went while they were copied. */
  gone: number
  /** Uploads that are not complete stay where they were begun. */
  unfinished: number
  /** Nothing in the database names them; a sweep takes what is left of pictures. */
  strays: number
  /** Keys of files without content, as a disk that broke leaves them: they can't be moved. */
  readonly empty: string[]
  /** Of what was copied. */
  bytes: number
}

export interface Move {
  readonly db: Db
  readonly from: Storage
  readonly to: Storage
  /** Takes each file away from where it was once its copy was read and is the same. */
  readonly remove: boolean
  /** Called now and then with what was done so far. */
  readonly report?: (moved: Readonly<Moved>) => void
}

/** A copy that was read back was another file than its original, twice. */
export class CopyError extends Error {}

const BATCH = 100
/** Small files are mostly waited for; a large one holds a part in memory. */
const AT_ONCE = 3
/** Milliseconds between tries while a storage is away: two minutes in all, then the command ends and is run again. */
const PAUSES = [1000, 2000, 4000, 8000, 15_000, 30_000, 30_000, 30_000]
const REPORT_MS = 2000
const UPLOAD = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Copies every file that the database names, reads each copy and compares it by SHA-256. What lies there already is
 * compared and left, so that it goes on where it was when it is run again. No file is ever whole in memory.
 * @throws CopyError; what a storage throws when it stays away, or is full
 */
export async function moveFiles(move: Move): Promise<Moved> {
  const moved: Moved = {
    copied: 0,
    there: 0,
    removed: 0,
    gone: 0,
    unfinished: 0,
    strays: 0,
    empty: [],
    bytes: 0,
  }
  let reported = performance.now()
  for (const prefix of ['pictures/', 'resources/']) {
    for await (const keys of inBatches(move.from.list(prefix))) {
      const fates = await findFates(move.db, keys)
      await inTurns(keys, async (key) => {
        const fate = fates.get(key) ?? 'strays'
        if (fate === 'move') await patiently(() => moveOne(move, key, moved))
        else moved[fate] += 1
      })
      if (performance.now() - reported < REPORT_MS) continue
      reported = performance.now()
      move.report?.(moved)
    }
  }
  return moved
}

async function moveOne({ from, to, remove }: Move, key: string, moved: Moved): Promise<void> {
  const size = await from.sizeOf(key)
  const hash = size === null ? null : await from.hashOf(key)
  if (size === null || hash === null) {
    moved.gone += 1
    return
  }
  if (size === 0) {
    moved.empty.push(key)
    return
  }
  if ((await to.sizeOf(key)) === size && (await to.hashOf(key)) === hash) moved.there += 1
  else {
    if (!(await copy(from, to, key, hash)) && !(await copy(from, to, key, hash)))
      throw new CopyError(
        `The copy of ${key} is another file than its original. Nothing was removed.`,
      )
    moved.copied += 1
    moved.bytes += size
  }
  // Whoever removes a file removes it here first, then there: a copy never outlives it.
  if ((await from.sizeOf(key)) === null) {
    await to.remove(key)
    moved.gone += 1
  } else if (remove) {
    await from.remove(key)
    moved.removed += 1
  }
}

/** False, and no copy, when it came out as another file. */
async function copy(from: Storage, to: Storage, key: string, hash: string): Promise<boolean> {
  const source = await from.open(key)
  if (source === null) return true
  try {
    await to.put(key, source.stream, hash)
  } finally {
    source.stream.destroy()
  }
  const stored = await to.open(key)
  if (stored !== null && (await hashOfStream(stored.stream)) === hash) return true
  await to.remove(key)
  return false
}

/** What is to be done with each: only what the database names is moved. */
async function findFates(
  db: Db,
  keys: readonly string[],
): Promise<Map<string, 'move' | 'unfinished'>> {
  const names = keys.map((key) => key.split('/')[1] ?? '')
  const ids = names.filter((name) => UPLOAD.test(name))
  const { rows } = await sql<{ name: string; finished: boolean }>`
    select distinct key as name, true as finished from pictures where key = any(${names}::text[])
    union all select id::text, finished_at is not null from uploads where id = any(${ids}::uuid[])`.execute(
    db,
  )
  const known = new Map(rows.map(({ name, finished }) => [name, finished]))
  return new Map(
    keys.flatMap((key) => {
      const finished = known.get(key.split('/')[1] ?? '')
      return finished === undefined ? [] : [[key, finished ? 'move' : 'unfinished'] as const]
    }),
  )
}

async function* inBatches(keys: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = []
  for await (const key of keys) {
    batch.push(key)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** A few at once; the first failure ends them all once those under way are done. */
async function inTurns(
  keys: readonly string[],
  act: (key: string) => Promise<void>,
): Promise<void> {
  const waiting = keys.values()
  let failed = false
  const work = async () => {
    for (const key of waiting) {
      if (failed) return
      await act(key).catch((error: unknown) => {
        failed = true
        throw error
      })
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** Waits for a storage that is away; what is full, or wrong, does not get better by waiting. */
async function patiently(act: () => Promise<void>): Promise<void> {
  for (const pause of PAUSES) {
    try {
      return await act()
    } catch (error) {
      if (!passes(error)) throw error
      await sleep(pause)
    }
  }
  return act()
}

/** Whether an error says that somebody is away, or that an answer broke off. */
function passes(error: unknown): boolean {
  if (error instanceof S3Failure) return error.trouble === 'away'
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'ETIMEDOUT'
}
