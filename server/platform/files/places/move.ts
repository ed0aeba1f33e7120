/** Moves files from one storage to another under the same keys, while the site uses both (layers.ts). */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'
import { S3Failure } from '#server/platform/files/s3/failure.ts'
import { hashOfStream, type Storage } from '#server/platform/core/storage.ts'

/** Numbers of files by result. */
export interface MoveCounts {
  copied: number
  /** The same file existed at the target. */
  there: number
  /** Removed from the source. */
  removed: number
  /** Deleted by the site while they were copied. */
  gone: number
  /** Incomplete uploads, which stay where they began. */
  unfinished: number
  /** Files that the database doesn't name; a sweep removes those of pictures. */
  strays: number
  /** Keys of empty files, which a disk failure leaves; they can't be moved. */
  readonly empty: string[]
  /** Bytes copied. */
  bytes: number
}

export interface Move {
  readonly db: Db
  readonly from: Storage
  readonly to: Storage
  /** Removes each source file once its copy was read back and is equal. */
  readonly remove: boolean
  /** Called from time to time with the progress. */
  readonly report?: (moved: Readonly<MoveCounts>) => void
}

/** A copy differed from its original, twice. */
export class CopyError extends Error {}

const BATCH = 100
/** Small files are mostly latency; each large one needs memory for a part. */
const AT_ONCE = 3
/**
 * In ms between tries while a storage is unavailable. After two minutes in all the command ends and can be run
 * again.
 */
const PAUSES = [1000, 2000, 4000, 8000, 15_000, 30_000, 30_000, 30_000]
const REPORT_MS = 2000
const UPLOAD = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Copies every file that the database names, reads each copy back and compares its SHA-256. Existing files are
 * compared and left, so that a repeated run continues where it was. No file is ever completely in memory.
 * @throws CopyError; errors of a storage that stays unavailable or is full
 */
export async function moveFiles(move: Move): Promise<MoveCounts> {
  const moved: MoveCounts = {
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
      await runSome(keys, async (key) => {
        const fate = fates.get(key) ?? 'strays'
        if (fate === 'move') await retryWhileAway(() => moveOne(move, key, moved))
        else moved[fate] += 1
      })
      if (performance.now() - reported < REPORT_MS) continue
      reported = performance.now()
      move.report?.(moved)
    }
  }
  return moved
}

async function moveOne({ from, to, remove }: Move, key: string, moved: MoveCounts): Promise<void> {
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
  // The site removes a file from the source before the target, so checking the source after copying ensures that
  // no copy outlives its file.
  if ((await from.sizeOf(key)) === null) {
    await to.remove(key)
    moved.gone += 1
  } else if (remove) {
    await from.remove(key)
    moved.removed += 1
  }
}

/** Returns false, and leaves no copy, when the copy differs. */
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

/** Decides what to do with each file: only those that the database names are moved. */
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

/** Runs a few at once; the first failure stops the rest when the running ones are done. */
async function runSome(
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

/** Waits for an unavailable storage; waiting doesn't help with a full or misconfigured one. */
async function retryWhileAway(act: () => Promise<void>): Promise<void> {
  for (const pause of PAUSES) {
    try {
      return await act()
    } catch (error) {
      if (!isTransient(error)) throw error
      await sleep(pause)
    }
  }
  return act()
}

/** Returns true when a storage is unavailable, or a response was cut off. */
function isTransient(error: unknown): boolean {
  if (error instanceof S3Failure) return error.trouble === 'away'
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'ETIMEDOUT'
}
