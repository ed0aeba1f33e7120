/**
 * Checks a message before a decoder reads it, because decoders trust the sizes in it: five bytes can allocate an
 * array of millions, and nesting multiplies that. Only walks the headers, in time linear to the bytes.
 */
import { ProtocolError } from './messages.ts'

export interface Bounds {
  /** Maximum nesting of arrays and maps. */
  readonly depth: number
  /** Maximum number of values, including keys of maps. */
  readonly elements: number
}

/** For messages of clients. The depth is that of System.Text.Json, which the reference implementation uses. */
export const CLIENT_BOUNDS: Bounds = { depth: 64, elements: 65_536 }

/**
 * For messages of nodes. The depth is the maximum of `@msgpack/msgpack`'s encoder. The message size bounds the
 * elements.
 */
export const NODE_BOUNDS: Bounds = { depth: 100, elements: Number.POSITIVE_INFINITY }

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** The parser checks the JSON syntax later. @throws ProtocolError for a text with too many levels or values */
export function checkJson(text: Uint8Array, bounds: Bounds): void {
  let depth = 0
  let elements = 1
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case QUOTE:
        at = endOfString(text, at)
        break
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1
        elements += 1
        if (depth > bounds.depth) throw new ProtocolError('nested too deeply')
        break
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1
        break
      case COMMA:
        elements += 1
        break
      default:
    }
    if (elements > bounds.elements) throw new ProtocolError('too many elements')
  }
}

/** Returns the position of the closing quote, or the end of the text if there is none. */
function endOfString(text: Uint8Array, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === BACKSLASH) at += 1
    else if (text[at] === QUOTE) return at
  }
  return text.length
}

/** The structure that a first byte of MessagePack announces. */
interface Shape {
  /** Number of bytes that contain the size. */
  readonly sizeBytes: number
  /** Bytes in addition to those that the size counts. */
  readonly fixed: number
  /** What the size counts: bytes (0), or entries of 1 or 2 values. */
  readonly valuesEach: 0 | 1 | 2
}

const fixed = (bytes: number): Shape => ({ sizeBytes: 0, fixed: bytes, valuesEach: 0 })
const sized = (sizeBytes: number, valuesEach: 0 | 1 | 2 = 0, extra = 0): Shape => ({
  sizeBytes,
  fixed: extra,
  valuesEach,
})

/** For the first bytes from 0xc0 to 0xdf in order. 0xc1 is never used. */
const SHAPES: readonly (Shape | undefined)[] = [
  [fixed(0), undefined, fixed(0), fixed(0)], // nil, (never used), false, true
  [sized(1), sized(2), sized(4)], // bin 8 to 32
  [sized(1, 0, 1), sized(2, 0, 1), sized(4, 0, 1)], // ext 8 to 32, with a byte for the type
  [fixed(4), fixed(8)], // float 32 and 64
  [fixed(1), fixed(2), fixed(4), fixed(8)], // uint 8 to 64
  [fixed(1), fixed(2), fixed(4), fixed(8)], // int 8 to 64
  [fixed(2), fixed(3), fixed(5), fixed(9), fixed(17)], // fixext 1 to 16, with a byte for the type
  [sized(1), sized(2), sized(4)], // str 8 to 32
  [sized(2, 1), sized(4, 1)], // array 16 and 32
  [sized(2, 2), sized(4, 2)], // map 16 and 32
].flat()

/**
 * Refuses an array or map at its header if it claims more values than there are bytes left, because every value
 * takes at least a byte.
 * @throws ProtocolError for impossible sizes, and for too many levels or values
 */
export function checkMessagePack(bytes: Uint8Array, bounds: Bounds): void {
  let at = 0
  let elements = 0
  /** Remaining values in total, and in each open array or map. */
  let missing = 1
  const open: number[] = []
  while (missing > 0) {
    const head = bytes[at]
    if (head === undefined) throw new ProtocolError('cut off')
    at += 1
    missing -= 1
    elements += 1
    let values = 0
    if (head < 0x80 || head >= 0xe0) {
      // Small numbers are encoded in the first byte.
    } else if (head < 0x90) values = (head - 0x80) * 2
    else if (head < 0xa0) values = head - 0x90
    else if (head < 0xc0) at += head - 0xa0
    else {
      const shape = SHAPES[head - 0xc0]
      if (shape === undefined) throw new ProtocolError('not MessagePack')
      const size = readSize(bytes, at, shape.sizeBytes)
      at += shape.sizeBytes + shape.fixed
      if (shape.valuesEach === 0) at += size
      else values = size * shape.valuesEach
    }
    missing += values
    if (missing > bytes.length - at) throw new ProtocolError('claims more than it holds')
    if (elements + missing > bounds.elements) throw new ProtocolError('too many elements')
    if (values > 0) {
      open.push(values)
      if (open.length > bounds.depth) throw new ProtocolError('nested too deeply')
    } else closeFinished(open)
  }
}

/** Ends a value, and each array or map whose last value it was. */
function closeFinished(open: number[]): void {
  for (let last = open.length - 1; last >= 0; last--) {
    const left = (open[last] ?? 0) - 1
    open[last] = left
    if (left > 0) return
    open.pop()
  }
}

/** Missing bytes count as zero, because the following check refuses the value anyway. */
function readSize(bytes: Uint8Array, at: number, length: number): number {
  let size = 0
  for (let place = 0; place < length; place++) size = size * 256 + (bytes[at + place] ?? 0)
  return size
}
