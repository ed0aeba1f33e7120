/** Where files lie: one interface, on a disk or in S3. A key is a short path of ours, never a person's text. */
import type { Readable } from 'node:stream'
import type { Configstore } from '@tus/file-store'
import type { DataStore } from '@tus/server'

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
  /**
   * Stores the content whole or not at all; what stood under the key is replaced. A stream's buffers are used up.
   * @throws what the stream throws
   */
  put(key: string, content: Uint8Array | Readable): Promise<void>
  /** Null when there is no such file. */
  open(key: string, range?: ByteRange): Promise<StoredFile | null>
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>
  /** Bytes, or null when there is no such file. */
  sizeOf(key: string): Promise<number | null>
  /** Keys that begin so, in no order; files that come or go meanwhile may be among them or not. */
  list(prefix: string): AsyncIterable<string>
  /** Rejects with a PartAway while nothing can be stored; what is stored can be read all the same. */
  check(): Promise<void>
  /** The tus store that writes an upload in pieces as `resources/{id}`; the records know names and sizes. */
  resumable(records: Configstore): DataStore
}

const KEY = /^[a-z0-9-]+(?:\/[a-z0-9-]+)*(?:\.[a-z0-9]+)?$/
const PREFIX = /^[a-z0-9-]+\/(?:[a-z0-9-]+\/)*[a-z0-9-]*$/

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
