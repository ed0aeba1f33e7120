/** A rendered page made ready for the wire, and written to it. */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { accepts } from '#server/kernel/http/conditional.ts'
import type { CachedPage } from '#server/pages/cache/cache.ts'
import type { Headers } from '#server/pages/policy.ts'

const compress = promisify(brotliCompress)
/**
 * Level 4 with a window no larger than a page: half the time of level 5 with the usual window, for 6 % more bytes.
 */
const paramsFor = (bytes: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_LGWIN]: 16,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  },
})
const VARY = 'Accept-Encoding, Accept-Language, Cookie'

interface PageToCache {
  readonly status: number
  readonly html: string
  readonly headers: Headers
  readonly tags: readonly string[]
  readonly viewed: readonly number[]
}

/** Compresses and seals; an unchanged page keeps the compressed form that it had. */
export async function toCachedPage(
  { status, html, headers, tags, viewed }: PageToCache,
  stale?: CachedPage,
): Promise<CachedPage> {
  const bytes = Buffer.from(html)
  const etag = `"${createHash('sha1').update(bytes).digest('base64url')}"`
  const same = stale?.etag === etag
  const brotli = same ? stale.brotli : await compress(bytes, paramsFor(bytes.length))
  // A failure is gone in a moment, and so it must be at the browser.
  const control = status >= 500 ? 'no-store' : 'private, no-cache'
  const common = { ...headers, 'cache-control': control, vary: VARY, etag }
  return {
    status,
    html: bytes,
    brotli,
    etag,
    tags,
    viewed,
    headers: { ...common, 'content-length': String(bytes.length) },
    brotliHeaders: { ...common, 'content-length': String(brotli.length), 'content-encoding': 'br' },
  }
}

/** Answers with a cached page: 304 when the browser has it, Brotli when it accepts that. */
export function writeCachedPage(
  page: CachedPage,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { headers } = request
  const named = headers['if-none-match']
  if (page.status === 200 && named !== undefined && named.includes(page.etag)) {
    const { 'content-length': _, ...rest } = page.headers
    response.writeHead(304, rest).end()
    return
  }
  const brotli = accepts('br', headers['accept-encoding'])
  response.writeHead(page.status, brotli ? page.brotliHeaders : page.headers)
  if (request.method === 'HEAD') response.end()
  else response.end(brotli ? page.brotli : page.html)
}
