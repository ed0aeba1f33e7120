/** Where files lie: one interface, on a disk or in S3. A key is a short path of ours, never a person's text. */
import { createHash, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Configstore } from '@tus/file-store'
import type { DataStore } from '@tus/server'
import { letGo } from '#server/kernel/http/pieces.ts'

/** Bytes from start to end, both inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface StoredFile {
  /** Destroy it when it is not read to its end. */
  readonly stream: Readable
  /** Bytes of the whole file, also when a range was asked for. */
  readonly size: number
}

export interface Storage {
  /** Its name where the state of the product is asked for. */
  readonly place: 'files-disk' | 'files-s3'
  /**
   * Stores the content whole or not at all; what stood under the key is replaced. A stream's buffers are used up.
   * `sha256`: of a stream, where it is known.
   * @throws what the stream throws
   */
  put(key: string, content: Uint8Array | Readable, sha256?: string): Promise<void>
  /**
   * Null when there is no such file. `pieceBytes`: how much is read of a disk at once; 64 KiB unless given, as many may
   * read at a time.
   */
  open(key: string, range?: ByteRange, pieceBytes?: number): Promise<StoredFile | null>
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>
  /** Bytes, or null when there is no such file. */
  sizeOf(key: string): Promise<number | null>
  /** SHA-256 of the content in hexadecimal digits; null when there is no such file. */
  hashOf(key: string): Promise<string | null>
  /** Keys that begin so, in no order; files that come or go meanwhile may be among them or not. */
  list(prefix: string): AsyncIterable<string>
  /**
   * An address at which a browser gets the file as a download of this name, for a minute; null where it gets it from us
   * alone. Who may have it is asked before.
   */
  link(key: string, name: string): Promise<string | null>
  /** Rejects with a PartAway while nothing can be stored; what is stored can be read all the same. */
  check(): Promise<void>
  /** Clears what writes left that a crash cut off, once it is a day old. */
  sweep(): Promise<void>
  /** The tus store that writes an upload in pieces as `resources/{id}`; the records know names and sizes. */
  resumable(records: Configstore): Promise<DataStore>
  /** Lets go of connections. */
  close(): void
}

const KEY = /^[a-z0-9-]+(?:\/[a-z0-9-]+)*(?:\.[a-z0-9]+)?$/
const PREFIX = /^[a-z0-9-]+\/(?:[a-z0-9-]+\/)*[a-z0-9-]*$/

/** SHA-256 of what a stream brings, in hexadecimal digits; its buffers are used up. @throws what the stream throws */
export async function hashOfStream(stream: AsyncIterable<Buffer>): Promise<string> {
  const sum = createHash('sha256')
  for await (const piece of stream) {
    sum.update(piece)
    letGo(piece)
  }
  return sum.digest('hex')
}

/** Whether a name is one that a file of ours may have. */
export function isKey(name: string): boolean {
  return KEY.test(name)
}

/** @throws Error for what is no key, because a path of somebody else would leave our folder */
export function requireKey(key: string): void {
  if (!isKey(key)) throw new Error(`"${key}" is no key of the storage`)
}

/** @throws Error for what begins no key */
export function requirePrefix(prefix: string): void {
  if (!PREFIX.test(prefix)) throw new Error(`"${prefix}" begins no key of the storage`)
}

/** Writes a small file, reads it, lists it and removes it. @throws what the storage throws */
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
