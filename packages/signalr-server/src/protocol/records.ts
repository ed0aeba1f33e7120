/**
 * Cuts what arrives into records. A transport hands over pieces of any size: a record may be spread over several,
 * and several may come in one.
 */
import { RECORD_SEPARATOR } from './json-protocol.ts'
import { ProtocolError } from './messages.ts'

export interface RecordReader {
  /** The records that the piece completes, without their frames. @throws ProtocolError when one is over the limit */
  read(piece: Buffer): Buffer[]
  /** What is left of an unfinished record. */
  remainder(): Buffer
}

/** Records that end in a separator. `limit`: bytes of one record. */
export function createTextReader(limit: number): RecordReader {
  let parts: Buffer[] = []
  let held = 0
  const append = (part: Buffer) => {
    held += part.length
    if (held > limit) throw new ProtocolError('over the limit')
    if (part.length > 0) parts.push(part)
  }
  const take = () => {
    const whole = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
    parts = []
    held = 0
    return whole
  }
  return {
    read: (piece) => {
      const records: Buffer[] = []
      let from = 0
      for (;;) {
        const end = piece.indexOf(RECORD_SEPARATOR, from)
        if (end === -1) break
        append(piece.subarray(from, end))
        records.push(take())
        from = end + 1
      }
      append(piece.subarray(from))
      return records
    },
    remainder: take,
  }
}

/** Records behind their length, see `withLength`. */
export function createBinaryReader(limit: number): RecordReader {
  let parts: Buffer[] = []
  let held = 0
  /** Bytes that must be there before it is worth looking again. */
  let needed = 1
  const take = () => {
    const whole = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
    parts = []
    held = 0
    return whole
  }
  return {
    read: (piece) => {
      parts.push(piece)
      held += piece.length
      if (held < needed) return []
      const records: Buffer[] = []
      let bytes = take()
      for (;;) {
        const head = readLength(bytes)
        if (head !== null && head.length > limit) throw new ProtocolError('over the limit')
        if (head === null || bytes.length < head.size + head.length) {
          needed = head === null ? bytes.length + 1 : head.size + head.length
          break
        }
        records.push(bytes.subarray(head.size, head.size + head.length))
        bytes = bytes.subarray(head.size + head.length)
      }
      parts = [bytes]
      held = bytes.length
      return records
    },
    remainder: take,
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
