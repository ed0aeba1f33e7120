/**
 * Compresses answers and gives them a weak ETag, so that callers can validate them with a 304. The ETag hashes the
 * text and the reader, because lists also contain likes and views; it saves the transfer, not the query.
 */
import { createHash, type Hash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  type BrotliOptions,
} from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

type Encoding = 'br' | 'gzip'

/** Bytes of one compressed answer that are held until its ETag is known; longer answers have no ETag. */
const MOST_HELD = 4 * 1024 * 1024
/** Bytes of all answers of the process together; above it, answers have no ETag. */
const MOST_HELD_IN_ALL = 32 * 1024 * 1024
/** Bytes; compressing fewer saves nothing. */
const WORTH_COMPRESSING = 1024
/** The same as for pages: most of the saving for little work. The window bounds the memory of each compressor. */
const BROTLI: BrotliOptions = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_LGWIN]: 18,
  },
}
const GZIP = { level: 6 }

let heldInAll = 0

const ENCODING_PATTERNS: Readonly<Record<Encoding, RegExp>> = {
  // Each blank can match in only one way: with two, a header full of blanks would block the process for a second.
  br: /(?:^|[,\s])br(?:\s*;\s*q=([\d.]+))?\s*(?:,|$)/i,
  gzip: /(?:^|[,\s])gzip(?:\s*;\s*q=([\d.]+))?\s*(?:,|$)/i,
}

/** Returns true when `Accept-Encoding` names the encoding with a weight other than 0. */
export function accepts(encoding: Encoding, accepted: string | string[] | undefined): boolean {
  const found = typeof accepted === 'string' ? ENCODING_PATTERNS[encoding].exec(accepted) : null
  return found !== null && Number(found[1] ?? 1) > 0
}

function encodingFor({ headers }: FastifyRequest): Encoding | null {
  const accepted = headers['accept-encoding']
  return (['br', 'gzip'] as const).find((encoding) => accepts(encoding, accepted)) ?? null
}

/**
 * Each reader has tags of their own, so what a guest cached is never valid after signing in. `reader` identifies a
 * person.
 */
const hashFor = (reader: string | undefined): Hash =>
  createHash('sha1').update(`${reader ?? 'guest'} `)

/** Sets the ETag and returns true when the caller has that version. */
function isKnown(request: FastifyRequest, reply: FastifyReply, hash: Hash): boolean {
  const opaque = `"${hash.digest('base64url')}"`
  reply.header('etag', `W/${opaque}`)
  return request.headers['if-none-match']?.includes(opaque) === true
}

/** The answer is private, and its holder must validate it before each use. */
function setCacheHeaders(reply: FastifyReply, encoding: Encoding | null): void {
  const vary = [reply.getHeader('vary') ?? [], 'Accept-Encoding', 'Authorization'].flat().join(', ')
  reply.headers({ 'cache-control': 'private, no-cache', vary })
  if (encoding !== null) reply.header('content-encoding', encoding)
}

/** Sends a complete text. Call it where a route is about to send its answer. */
export async function sealText(
  request: FastifyRequest,
  reply: FastifyReply,
  reader: string | undefined,
  text: string,
): Promise<string | Buffer> {
  const total = String(reply.getHeader('x-total-count') ?? '')
  const known = isKnown(request, reply, hashFor(reader).update(`${total} `).update(text))
  const encoding = known || text.length < WORTH_COMPRESSING ? null : encodingFor(request)
  setCacheHeaders(reply, encoding)
  reply.removeHeader('content-length')
  if (known) reply.code(304)
  if (known || encoding === null) return known ? '' : text
  return encoding === 'br' ? promisify(brotliCompress)(text, BROTLI) : promisify(gzip)(text, GZIP)
}

/**
 * Sends a text that arrives in pieces, holding its compressed form until it is complete or too long to hold.
 * Resolves with the payload, or null for a 304.
 */
export async function sealPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  reader: string | undefined,
  pieces: AsyncIterable<string>,
): Promise<Buffer | Readable | null> {
  const encoding = encodingFor(request)
  const hash = hashFor(reader)
  const wire = compressed(encoding, hashing(pieces, hash))
  // Stops reading when the caller disconnects.
  reply.raw.once('close', () => wire.destroy())
  const held: Buffer[] = []
  let bytes = 0
  let isWhole = false
  // A slow reader keeps the pieces in memory until the connection ends, so they count until then.
  const releaseHeld = () => {
    heldInAll -= bytes
    bytes = 0
  }
  if (reply.raw.closed) return null
  reply.raw.once('close', releaseHeld)
  const source: AsyncIterator<Buffer> = wire[Symbol.asyncIterator]()
  while (!isWhole && bytes <= MOST_HELD && heldInAll <= MOST_HELD_IN_ALL && !reply.raw.closed) {
    const { done = false, value } = await source.next()
    isWhole = done
    if (done) break
    held.push(value)
    bytes += value.length
    heldInAll += value.length
  }
  if (reply.raw.closed) releaseHeld()
  const known = isWhole && isKnown(request, reply, hash)
  setCacheHeaders(reply, known ? null : encoding)
  if (known) return null
  return isWhole
    ? Buffer.concat(held)
    : Readable.from(remainder(held, source), { objectMode: false })
}

async function* hashing(pieces: AsyncIterable<string>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    hash.update(piece)
    yield Buffer.from(piece)
  }
}

function compressed(encoding: Encoding | null, pieces: AsyncIterable<Buffer>): Readable {
  const plain = Readable.from(pieces, { highWaterMark: 1 })
  if (encoding === null) return plain
  const compressor = encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP)
  // An error on either side is thrown to the reader of the result.
  return pipeline(plain, compressor, () => undefined)
}

async function* remainder(held: Buffer[], source: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    for (let piece = held.shift(); piece !== undefined; piece = held.shift()) yield piece
    for (;;) {
      const { done = false, value } = await source.next()
      if (done) return
      yield value
    }
  } finally {
    await source.return?.()
  }
}
