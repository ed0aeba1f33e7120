/** Compresses feeds once and sends them with validators. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { accepts } from '#server/kernel/http/conditional.ts'

const bodies = { brotli: promisify(brotliCompress), gzip: promisify(gzip) }
const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_LGWIN]: 18,
  },
}

export interface SealedFeed {
  readonly plain: Buffer
  readonly br: Buffer
  readonly gzip: Buffer
  readonly etag: string
  readonly lastModified: string
}

/** Compresses a feed once for all readers. */
export async function seal(xml: string, updated: Date): Promise<SealedFeed> {
  const plain = Buffer.from(xml)
  const [br, zipped] = await Promise.all([bodies.brotli(plain, BROTLI), bodies.gzip(plain)])
  return {
    plain,
    br,
    gzip: zipped,
    etag: `"${createHash('sha1').update(plain).digest('base64url')}"`,
    lastModified: updated.toUTCString(),
  }
}

/** Returns its bytes in memory. */
export const sizeOf = ({ plain, br, gzip: zipped }: SealedFeed): number =>
  plain.length + br.length + zipped.length

/**
 * Sends a feed, or 304 to readers who have it. If-Modified-Since must be exactly the date of the newest change, so
 * that a feed from which an item was removed is sent again.
 */
export function sendFeed(
  feed: SealedFeed,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { etag, lastModified } = feed
  void reply.headers({ etag: `W/${etag}`, 'last-modified': lastModified, vary: 'Accept-Encoding' })
  const known = headers['if-none-match']
  const isKnown =
    known === undefined ? headers['if-modified-since'] === lastModified : known.includes(etag)
  if (isKnown) return reply.code(304).send()
  const encoding = (['br', 'gzip'] as const).find((name) =>
    accepts(name, headers['accept-encoding']),
  )
  if (encoding !== undefined) void reply.header('content-encoding', encoding)
  return reply
    .type('application/atom+xml; charset=utf-8')
    .send(encoding === undefined ? feed.plain : feed[encoding])
}
