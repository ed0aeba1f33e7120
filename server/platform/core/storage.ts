/** One interface for files on a disk or in S3. A key is a short path of ours, never a person's text. */
import { createHash, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Configstore } from '@tus/file-store'
import type { DataStore } from '@tus/server'
import { freePiece } from '#server/kernel/http/pieces.ts'

/** Both ends are inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface StoredFile {
  /** Destroy it when you don't read it to its end. */
  readonly stream: Readable
  /** Bytes of the whole file, also for a range. */
  readonly size: number
}

export interface Storage {
  /** Its name in the state of the product. */
  readonly place: 'files-disk' | 'files-s3'
  /**
   * Stores the whole content or nothing, and replaces an existing file. Frees the buffers of a stream. `sha256` is
   * the hash of a stream, if it is known.
   * @throws errors of the stream
   */
  put(key: string, content: Uint8Array | Readable, sha256?: string): Promise<void>
  /**
   * Returns null when there is no such file. `pieceBytes` is how much is read from a disk at once; by default 64
   * KiB, because many may read at a time.
   */
  open(key: string, range?: ByteRange, pieceBytes?: number): Promise<StoredFile | null>
  /** Doesn't throw if there is no such file. */
  remove(key: string): Promise<void>
  /** Returns bytes, or null when there is no such file. */
  sizeOf(key: string): Promise<number | null>
  /** Returns the SHA-256 of the content in hexadecimal digits, or null when there is no such file. */
  hashOf(key: string): Promise<string | null>
  /** Lists keys with this prefix in no order; files that are added or removed meanwhile may be included or not. */
  list(prefix: string): AsyncIterable<string>
  /**
   * Returns a URL at which a browser can download the file under this name for a minute, or null if only we can
   * serve it. Check the person's right first.
   */
  link(key: string, name: string): Promise<string | null>
  /** Rejects with a PartAway while nothing can be stored; stored files can still be read. */
  check(): Promise<void>
  /** Removes leftovers of interrupted writes once they are a day old. */
  sweep(): Promise<void>
  /**
   * Returns the tus store that writes a resumable upload as `resources/{id}`; the records have names and sizes.
   */
  resumable(records: Configstore): Promise<DataStore>
  /** Closes connections. */
  close(): void
}

const KEY = /^[a-z0-9-]+(?:\/[a-z0-9-]+)*(?:\.[a-z0-9]+)?$/
const PREFIX = /^[a-z0-9-]+\/(?:[a-z0-9-]+\/)*[a-z0-9-]*$/

/** Returns the SHA-256 of a stream in hexadecimal digits and frees its buffers. @throws errors of the stream */
export async function hashOfStream(stream: AsyncIterable<Buffer>): Promise<string> {
  const sum = createHash('sha256')
  for await (const piece of stream) {
    sum.update(piece)
    freePiece(piece)
  }
  return sum.digest('hex')
}

export function isKey(name: string): boolean {
  return KEY.test(name)
}

/** @throws Error for anything else than a key, because another path could leave our folder */
export function requireKey(key: string): void {
  if (!isKey(key)) throw new Error(`"${key}" is no key of the storage`)
}

/** @throws Error for a string that isn't a prefix of keys */
export function requirePrefix(prefix: string): void {
  if (!PREFIX.test(prefix)) throw new Error(`"${prefix}" begins no key of the storage`)
}

/** Writes a small file, reads it, lists it and removes it. @throws errors of the storage */
export async function tryOut(storage: Storage): Promise<void> {
  const key = `unfinished/${randomUUID()}`
  const content = Buffer.from('May we write here?')
  await storage.put(key, content)
  try {
    const stored = await storage.open(key)
    stored?.stream.destroy()
    for await (const _ of storage.list('unfinished/')) break
  } finally {
    await storage.remove(key)
  }
}
