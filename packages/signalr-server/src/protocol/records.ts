/**
 * Cuts what arrives into records. A transport hands over pieces of any size: a record may be spread over several,
 * and several may come in one.
 */
import { RECORD_SEPARATOR } from './json-protocol.ts'
import { ProtocolError } from './messages.ts'

/** Each connection has one, so it is small while nothing waits in it. */
export interface RecordReader {
  /** Some of a record has come, and not all of it. */
  readonly hasBegun: boolean
  /** The records that the piece completes, without their frames. @throws ProtocolError when one is over the limit */
  read(piece: Buffer): Buffer[]
}

/** A part of one byte takes a hundred in memory, so small ones are joined. */
const PARTS_OF_BLOCK = 256

/** What has come of a record that is not whole yet. */
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

/** Records that end in a separator. */
export class TextReader implements RecordReader {
  readonly #limit: number
  #begun: Parts | undefined

  /** `limit`: bytes of one record. */
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

/** Records behind their length, see `withLength`. */
export class BinaryReader implements RecordReader {
  readonly #limit: number
  #begun: Parts | undefined
  /** Bytes that must be there before it is worth looking again. */
  #needed = 1

  /** `limit`: bytes of one record. */
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

/** Null when the length itself is not whole yet. */
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
