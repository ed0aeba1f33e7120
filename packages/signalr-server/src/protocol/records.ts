/**
 * Splits incoming data into records. Transports deliver pieces of any size: a record may span several pieces, and
 * a piece may contain several records.
 */
import { RECORD_SEPARATOR } from './json-protocol.ts'
import { ProtocolError } from './messages.ts'

/** There is one per connection, so it must be small while nothing is buffered. */
export interface RecordReader {
  /** True while an incomplete record is buffered. */
  readonly hasBegun: boolean
  /**
   * Returns the records that the piece completes, without framing.
   * @throws ProtocolError when one exceeds the limit
   */
  read(piece: Buffer): Buffer[]
}

/** A buffer of one byte needs about a hundred in memory, so small ones are merged. */
const PARTS_OF_BLOCK = 256

/** Buffers an incomplete record. */
class Parts {
  #parts: Buffer[] = []
  #blocks: Buffer[] | undefined
  #held = 0

  get held(): number {
    return this.#held
  }

  add(part: Buffer): void {
    this.#held += part.length
    this.#parts.push(part)
    if (this.#parts.length < PARTS_OF_BLOCK) return
    ;(this.#blocks ??= []).push(Buffer.concat(this.#parts))
    this.#parts = []
  }

  join(): Buffer {
    return Buffer.concat([...(this.#blocks ?? []), ...this.#parts])
  }
}

/** Reads records that end in a separator. */
export class TextReader implements RecordReader {
  readonly #limit: number
  #begun: Parts | undefined

  /** `limit` is the maximum size of a record in bytes. */
  constructor(limit: number) {
    this.#limit = limit
  }

  get hasBegun(): boolean {
    return this.#begun !== undefined
  }

  read(piece: Buffer): Buffer[] {
    const records: Buffer[] = []
    let from = 0
    for (;;) {
      const end = piece.indexOf(RECORD_SEPARATOR, from)
      if (end === -1) break
      this.#mayAdd(end - from)
      const record = piece.subarray(from, end)
      this.#begun?.add(record)
      records.push(this.#begun?.join() ?? record)
      this.#begun = undefined
      from = end + 1
    }
    if (from < piece.length) {
      this.#mayAdd(piece.length - from)
      this.#begun ??= new Parts()
      this.#begun.add(piece.subarray(from))
    }
    return records
  }

  #mayAdd(bytes: number): void {
    if ((this.#begun?.held ?? 0) + bytes > this.#limit) throw new ProtocolError('over the limit')
  }
}

/** Reads records with a length prefix, see `withLength`. */
export class BinaryReader implements RecordReader {
  readonly #limit: number
  #begun: Parts | undefined
  /** Number of buffered bytes from which another attempt makes sense. */
  #needed = 1

  /** `limit` is the maximum size of a record in bytes. */
  constructor(limit: number) {
    this.#limit = limit
  }

  get hasBegun(): boolean {
    return this.#begun !== undefined
  }

  read(piece: Buffer): Buffer[] {
    this.#begun?.add(piece)
    if (this.#begun !== undefined && this.#begun.held < this.#needed) return []
    const records: Buffer[] = []
    let bytes = this.#begun?.join() ?? piece
    this.#begun = undefined
    while (bytes.length > 0) {
      const head = readLength(bytes)
      if (head !== null && head.length > this.#limit) throw new ProtocolError('over the limit')
      if (head === null || bytes.length < head.size + head.length) {
        this.#needed = head === null ? bytes.length + 1 : head.size + head.length
        this.#begun = new Parts()
        this.#begun.add(bytes)
        break
      }
      records.push(bytes.subarray(head.size, head.size + head.length))
      bytes = bytes.subarray(head.size + head.length)
    }
    return records
  }
}

const MOST_LENGTH_BYTES = 5

/** Returns null if the length prefix is incomplete. */
function readLength(bytes: Buffer): { length: number; size: number } | null {
  let length = 0
  for (let place = 0; place < MOST_LENGTH_BYTES; place++) {
    const byte = bytes[place]
    if (byte === undefined) return null
    length += (byte & 0x7f) * 2 ** (7 * place)
    if (byte < 0x80) return { length, size: place + 1 }
  }
  throw new ProtocolError('no length')
}
