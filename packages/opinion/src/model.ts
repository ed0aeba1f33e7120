/** Reads and writes the trained model in a compact file: vocabulary, weights of opinions, weights of languages. */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Linear } from './linear.ts'
import { createVocabulary, type Vocabulary } from './vocabulary.ts'

export interface Model {
  readonly name: string
  /** SHA-256 of the training files. */
  readonly source: string
  readonly vocabulary: Vocabulary
  readonly opinions: Linear
  readonly languages: Linear
  /** Divisor of the scores, which calibrates the confidence: 0.8 is correct 8 times in 10. */
  readonly temperature: number
}

interface Head {
  readonly name: string
  readonly source: string
  readonly temperature: number
  /** Words and phrases by their bits, one per line. */
  readonly words: Readonly<Record<string, string>>
  readonly linears: readonly {
    labels: number
    bias: readonly number[]
    size: number
    top: number
  }[]
}

const STEPS = 127

/**
 * Quantises weights to one byte: the square root of their share of the maximum, which preserves the order of small
 * weights.
 */
function pack(linear: Linear): { top: number; bytes: Int8Array } {
  const top = linear.weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) || 1
  const bytes = Int8Array.from(
    linear.weights,
    (weight) => Math.sign(weight) * Math.round(STEPS * Math.sqrt(Math.abs(weight) / top)),
  )
  return { top, bytes }
}

function unpack(bytes: Buffer, top: number): Float32Array {
  const weights = new Float32Array(bytes.length)
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes.readInt8(index)
    weights[index] = Math.sign(byte) * top * (byte / STEPS) ** 2
  }
  return weights
}

/** Returns the bytes of a model file. */
export function encodeModel(model: Model): Buffer {
  const words: Record<string, string[]> = {}
  for (const [word, bits] of [...model.vocabulary.entries].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  )) {
    ;(words[bits] ??= []).push(word)
  }
  const parts = [model.opinions, model.languages].map((linear) => ({ linear, ...pack(linear) }))
  const head: Head = {
    name: model.name,
    source: model.source,
    temperature: model.temperature,
    words: Object.fromEntries(Object.entries(words).map(([bits, list]) => [bits, list.join('\n')])),
    linears: parts.map(({ linear, top }) => ({
      labels: linear.labels,
      bias: Array.from(linear.bias),
      size: linear.hashes.length,
      top,
    })),
  }
  const text = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  const body = parts.flatMap(({ linear, bytes }) => {
    const hashes = Buffer.alloc(linear.hashes.length * 4)
    for (const [index, hash] of linear.hashes.entries()) hashes.writeUInt32LE(hash, index * 4)
    return [hashes, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)]
  })
  return brotliCompressSync(Buffer.concat([length, text, ...body]), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9 },
  })
}

export function decodeModel(file: Uint8Array): Model {
  const bytes = brotliDecompressSync(file)
  const length = bytes.readUInt32LE(0)
  const head = JSON.parse(bytes.toString('utf8', 4, 4 + length)) as Head
  const entries = new Map<string, number>()
  for (const [bits, list] of Object.entries(head.words)) {
    for (const word of list.split('\n')) entries.set(word, Number(bits))
  }
  let at = 4 + length
  const linears = head.linears.map(({ labels, bias, size, top }): Linear => {
    const hashes = new Uint32Array(size)
    for (let index = 0; index < size; index += 1) hashes[index] = bytes.readUInt32LE(at + index * 4)
    at += size * 4
    const weights = unpack(bytes.subarray(at, at + size * labels), top)
    at += size * labels
    return { labels, bias, hashes, weights }
  })
  const [opinions, languages] = linears
  if (opinions === undefined || languages === undefined)
    throw new Error('The model file is cut short.')
  return {
    name: head.name,
    source: head.source,
    temperature: head.temperature,
    vocabulary: createVocabulary(entries),
    opinions,
    languages,
  }
}
