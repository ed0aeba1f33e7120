/**
 * Writes an archive entry by entry, as a stream with backpressure: nothing is produced before somebody reads it.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pack } from 'tar-stream'
import { buffersOf } from '#server/operate/backup/archive/pieces.ts'
import {
  createSums,
  END,
  LISTED,
  sealEnding,
  type Ending,
} from '#server/operate/backup/archive/format.ts'

export interface ArchiveWriter {
  /** The archive; destroying it ends the writing. */
  readonly output: Readable
  /** Adds bytes, or a stream of exactly `size` bytes. @throws Abandoned, and errors of the stream */
  add(name: string, content: Uint8Array): Promise<void>
  add(name: string, content: AsyncIterable<Uint8Array>, size: number): Promise<void>
  /** Adds the counts and ends the archive. */
  finish(ending: Omit<Ending, 'entries' | 'sums'>): Promise<void>
  /** Makes the archive's stream fail. */
  fail(error: Error): void
}

/** Nobody reads the archive any more; the reader knows why. */
export class Abandoned extends Error {}

export function createArchive(): ArchiveWriter {
  const tar = pack({ highWaterMark: 256 * 1024 })
  const output = Readable.from(buffersOf(tar), { objectMode: false })
  // A reader may abort before the first byte; tar emits no 'close' in that case.
  output.once('close', () => tar.destroy(null))
  const sums = createSums()
  const madeAt = new Date()
  let entries = 0
  const closed = once(tar, 'close').then(
    () => new Abandoned(),
    () => new Abandoned(),
  )
  const unlessClosed = async <Value>(wait: Promise<Value>): Promise<Value> => {
    const ended = await Promise.race([wait, closed])
    if (ended instanceof Abandoned) throw ended
    return ended
  }

  const write = async (
    name: string,
    pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    size: number,
  ): Promise<string> => {
    if (tar.destroyed) throw new Abandoned()
    const sum = createHash('sha256')
    const done = Promise.withResolvers<null>()
    const header = { name, size, mode: 0o600, mtime: madeAt }
    const entry = tar.entry(header, (error) =>
      error === null || error === undefined ? done.resolve(null) : done.reject(error),
    )
    entry.on('error', (error) => done.reject(error))
    // It is awaited at the end, but may reject earlier.
    done.promise.catch(() => undefined)
    let written = 0
    try {
      for await (const piece of pieces) {
        sum.update(piece)
        written += piece.byteLength
        if (!entry.write(piece)) await unlessClosed(once(entry, 'drain'))
      }
      if (written !== size) throw new Error(`${name} has ${written} bytes instead of ${size}`)
      entry.end(null)
      await unlessClosed(done.promise)
    } catch (error) {
      tar.destroy(null)
      throw error
    }
    return sum.digest('hex')
  }
  const addList = async () => {
    const list = Buffer.from(sums.takeList())
    await write(`sums/${entries}`, [list], list.length)
  }

  return {
    output,
    add: async (name: string, content: Uint8Array | AsyncIterable<Uint8Array>, size?: number) => {
      const bytes = content instanceof Uint8Array ? content.byteLength : (size ?? 0)
      const pieces = content instanceof Uint8Array ? [content] : content
      sums.note(name, bytes, await write(name, pieces, bytes))
      entries += 1
      if (sums.pending === LISTED) await addList()
    },
    finish: async (counted) => {
      if (sums.pending > 0) await addList()
      const sealed = Buffer.from(sealEnding({ ...counted, entries, sums: sums.total() }))
      await write(END, [sealed], sealed.length)
      tar.finalize()
    },
    fail: (error) => {
      tar.destroy(error)
    },
  }
}
