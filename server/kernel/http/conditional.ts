/**
 * Answers that a caller may cache and validate: with a weak ETag of what they say, 304 without a body when that has
 * not changed, and compressed. The ETag is a hash of the text itself and of who reads it, since nothing cheaper is true
 * of a list in which likes and views count too; so a caller is spared the bytes, not the database the reading.
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

/** Of one answer, so much of what goes over the wire waits in memory until its ETag is known; a longer one has none. */
const MOST_HELD = 4 * 1024 * 1024
/** Of all answers of the process together; beyond, they go without ETag. */
const MOST_HELD_IN_ALL = 32 * 1024 * 1024
/** Compressing fewer bytes than these saves nothing. */
const WORTH_COMPRESSING = 1024
/** As for pages: most of the saving for little work. The window bounds the memory of each. */
const BROTLI: BrotliOptions = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_LGWIN]: 18,
  },
}
const GZIP = { level: 6 }

let heldInAll = 0

const NAMED: Readonly<Record<Encoding, RegExp>> = {
  // One way to read each blank: with two, a header of blanks would hold the process for a second.
  br: /(?:^|[,\s])br(?:\s*;\s*q=([\d.]+))?\s*(?:,|$)/i,
  gzip: /(?:^|[,\s])gzip(?:\s*;\s*q=([\d.]+))?\s*(?:,|$)/i,
}

/** Whether `Accept-Encoding` names an encoding, and not with the weight 0. */
export function accepts(encoding: Encoding, accepted: string | string[] | undefined): boolean {
  const found = typeof accepted === 'string' ? NAMED[encoding].exec(accepted) : null
  return found !== null && Number(found[1] ?? 1) > 0
}

function encodingFor({ headers }: FastifyRequest): Encoding | null {
  const accepted = headers['accept-encoding']
  return (['br', 'gzip'] as const).find((encoding) => accepts(encoding, accepted)) ?? null
}

/** Each reader has tags of their own: what a guest cached is never right for somebody who has signed in. `reader`: what tells a person. */
const hashFor = (reader: string | undefined): Hash =>
  createHash('sha1').update(`${reader ?? 'guest'} `)

/** Notes the tag; true when it is the one that the caller has. */
function isKnown(request: FastifyRequest, reply: FastifyReply, hash: Hash): boolean {
  const opaque = `"${hash.digest('base64url')}"`
  reply.header('etag', `W/${opaque}`)
  return request.headers['if-none-match']?.includes(opaque) === true
}

/** Nobody caches it for others, and nobody shows it without asking. */
function mark(reply: FastifyReply, encoding: Encoding | null): void {
  const vary = [reply.getHeader('vary') ?? [], 'Accept-Encoding', 'Authorization'].flat().join(', ')
  reply.headers({ 'cache-control': 'private, no-cache', vary })
  if (encoding !== null) reply.header('content-encoding', encoding)
}

/** Answers a text that is there: to be used where a route's answer is about to be sent. */
export async function sealText(
  request: FastifyRequest,
  reply: FastifyReply,
  reader: string | undefined,
  text: string,
): Promise<string | Buffer> {
  const total = String(reply.getHeader('x-total-count') ?? '')
  const known = isKnown(request, reply, hashFor(reader).update(`${total} `).update(text))
  const encoding = known || text.length < WORTH_COMPRESSING ? null : encodingFor(request)
  mark(reply, encoding)
  reply.removeHeader('content-length')
  if (known) reply.code(304)
  if (known || encoding === null) return known ? '' : text
  return encoding === 'br' ? promisify(brotliCompress)(text, BROTLI) : promisify(gzip)(text, GZIP)
}

/**
 * Answers a text that comes in pieces, holding its compressed form until it is all there or too long to hold. Resolves
 * with what is to be sent: null when nothing is (304).
 */
export async function sealPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  reader: string | undefined,
  pieces: AsyncIterable<string>,
): Promise<Buffer | Readable | null> {
  const encoding = encodingFor(request)
  const hash = hashFor(reader)
  const wire = compressed(encoding, noting(pieces, hash))
  // Who left is read for no more.
  reply.raw.once('close', () => wire.destroy())
  const held: Buffer[] = []
  let bytes = 0
  let isWhole = false
  // A reader who takes nothing holds them until the connection ends, not only until the answer is known.
  const letGo = () => {
    heldInAll -= bytes
    bytes = 0
  }
  if (reply.raw.closed) return null
  reply.raw.once('close', letGo)
  const source: AsyncIterator<Buffer> = wire[Symbol.asyncIterator]()
  while (!isWhole && bytes <= MOST_HELD && heldInAll <= MOST_HELD_IN_ALL && !reply.raw.closed) {
    const { done = false, value } = await source.next()
    isWhole = done
    if (done) break
    held.push(value)
    bytes += value.length
    heldInAll += value.length
  }
  if (reply.raw.closed) letGo()
  const known = isWhole && isKnown(request, reply, hash)
  mark(reply, known ? null : encoding)
  if (known) return null
  return isWhole
    ? Buffer.concat(held)
    : Readable.from(remainder(held, source), { objectMode: false })
}

async function* noting(pieces: AsyncIterable<string>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    hash.update(piece)
    yield Buffer.from(piece)
  }
}

function compressed(encoding: Encoding | null, pieces: AsyncIterable<Buffer>): Readable {
  const plain = Readable.from(pieces, { highWaterMark: 1 })
  if (encoding === null) return plain
  const compressor = encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP)
  // What fails on either side is thrown to who reads the result.
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
