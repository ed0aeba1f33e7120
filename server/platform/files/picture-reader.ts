/** Serves pictures: directly from a disk, and through a memory cache from a bucket. */
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { PictureFormat } from '#contract/files.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { pictureKey } from '#server/platform/files/names.ts'
import { isStored } from '#server/platform/files/picture-life.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import type { Clock } from '#server/kernel/clock.ts'

export interface FoundPicture {
  readonly format: PictureFormat
  readonly size: number
  /** Returns null when the file was removed meanwhile. */
  read(): Promise<Readable | Buffer | null>
}

/** Finds the first of these formats that exists and isn't empty; null if none does. */
export type FindPicture = (
  picture: string,
  width: number,
  formats: readonly PictureFormat[],
) => Promise<FoundPicture | null>

interface ReaderNeeds {
  readonly db: Db
  readonly storage: Storage
  readonly clock: Clock
}

/** Bytes of all cached pictures: room for thousands in the widths that lists show. */
const MOST_BYTES = 64 * 1024 * 1024
/** Bytes; larger files, which our encoding hardly ever makes, aren't cached. */
const LARGEST = 2 * 1024 * 1024
/** Estimated bytes of an entry besides its content. */
const OVERHEAD = 300
/** In ms: how long a removed picture may still be shown, because another node may have removed it. */
const FRESH_MS = 20_000
/** In ms: how long a missing form counts as missing; a job may be making it. */
const ABSENT_MS = 5000
const MOST_ABSENT = 20_000

export function createPictureReader(needs: ReaderNeeds): FindPicture {
  return needs.storage.place === 'files-disk' ? fromDisk(needs.storage) : fromMemory(needs)
}

/**
 * After a disk failure a file may be empty. It must not be served as a picture, because browsers would cache it
 * for a year.
 */
function fromDisk(storage: Storage): FindPicture {
  return async (picture, width, formats) => {
    for (const format of formats) {
      const key = pictureKey(picture, width, format)
      const size = await storage.sizeOf(key)
      if (size === null || size === 0) continue
      return { format, size, read: async () => (await storage.open(key))?.stream ?? null }
    }
    return null
  }
}

interface Cached {
  readonly bytes: Buffer
  /** The time at which its picture was last known to exist. */
  readonly seen: number
}

/** A picture never changes, so a cached copy is valid while the database has its row. */
function fromMemory({ db, storage, clock }: ReaderNeeds): FindPicture {
  const cached = new BoundedMap<string, Cached>({
    most: MOST_BYTES,
    sizeOf: ({ bytes }) => bytes.length + OVERHEAD,
  })
  const absent = new BoundedMap<string, number>({ most: MOST_ABSENT })
  /** Concurrent requests for the same file share one read. */
  const underWay = new Map<string, Promise<Buffer | null>>()

  const load = (key: string) => {
    const loading = underWay.get(key) ?? loadFrom(storage, key).finally(() => underWay.delete(key))
    underWay.set(key, loading)
    return loading
  }
  const fresh = async (picture: string, key: string): Promise<Buffer | null> => {
    const entry = cached.get(key)
    const now = clock.now().getTime()
    if (entry === undefined) return null
    if (Math.abs(now - entry.seen) < FRESH_MS) return entry.bytes
    // If the database is unavailable, serves what was valid a moment ago.
    if (!(await isStored(db, picture).catch(() => true))) {
      cached.delete(key)
      return null
    }
    cached.set(key, { bytes: entry.bytes, seen: now })
    return entry.bytes
  }

  return async (picture, width, formats) => {
    for (const format of formats) {
      const key = pictureKey(picture, width, format)
      const now = clock.now().getTime()
      if (format === 'avif' && Math.abs(now - (absent.get(key) ?? -Infinity)) < ABSENT_MS) continue
      const bytes = (await fresh(picture, key)) ?? (await load(key))
      if (bytes === null || bytes.length === 0) {
        if (format === 'avif') absent.set(key, now)
        continue
      }
      if (bytes.length <= LARGEST && cached.peek(key) === undefined)
        cached.set(key, { bytes, seen: now })
      return { format, size: bytes.length, read: async () => bytes }
    }
    return null
  }
}

async function loadFrom(storage: Storage, key: string): Promise<Buffer | null> {
  const found = await storage.open(key)
  return found === null ? null : buffer(found.stream)
}
