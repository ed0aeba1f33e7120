/**
 * Sends a POST to an external server. The name is resolved once, all its addresses are checked, and the connection
 * uses only those, which prevents DNS rebinding. Redirects are not followed; time and response size are limited.
 */
import { lookup as lookupOfSystem } from 'node:dns'
import { request as requestByHttp, type IncomingMessage } from 'node:http'
import { request as requestByHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { toStorable } from '#server/kernel/text/storable.ts'
import type { MaySend } from '#server/operate/webhooks/addresses.ts'

/** Returns all addresses of a name. Rejects if there are none. */
export type Resolve = (name: string) => Promise<readonly string[]>

export interface PostNeeds {
  readonly maySend: MaySend
  readonly resolve: Resolve
  /** Total timeout in ms: name resolution, connection, TLS, request and response. */
  readonly patienceMs: number
}

export interface Posting {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Aborted when the process stops. */
  readonly signal: AbortSignal
}

export interface Posted {
  readonly status: number
  /** The beginning of the response on one line. */
  readonly answer: string
}

/** Why there was no response. The message omits the URL, which may contain a secret. */
export class PostFailure extends Error {
  /** The server did not respond in time, so that the next request would probably wait in vain too. */
  readonly hung: boolean
  constructor(text: string, hung = false) {
    super(text)
    this.hung = hung
  }
}

/** The name resolves to a blocked address. */
export class PrivateAddress extends PostFailure {
  constructor() {
    super('its address is private: nothing is sent there (WEBHOOK_ALLOW_ADDRESSES)')
  }
}

const MOST_ANSWER_BYTES = 2048
const MOST_ANSWER = 500

/** Resolves names as every other connection of the process does. */
export const resolveBySystem: Resolve = (name) =>
  new Promise((done, fail) => {
    lookupOfSystem(name, { all: true }, (error, found) => {
      if (error) fail(error)
      else done(found.map(({ address }) => address))
    })
  })

/**
 * Returns the addresses of a name if all of them are allowed.
 * @throws PostFailure, or PrivateAddress for a blocked address
 */
export async function findAddresses(
  { maySend, resolve }: Pick<PostNeeds, 'maySend' | 'resolve'>,
  { hostname }: Pick<URL, 'hostname'>,
): Promise<readonly string[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1')
  const addresses =
    isIP(literal) > 0
      ? [literal]
      : await resolve(literal).catch(() => {
          throw new PostFailure('its name has no address')
        })
  if (addresses.length === 0) throw new PostFailure('its name has no address')
  // A single blocked address refuses the name, because we can't control which address is used.
  if (!addresses.every(maySend)) throw new PrivateAddress()
  return addresses
}

/** Sends the request once. Any status counts as a response, including redirects. @throws PostFailure */
export async function post(needs: PostNeeds, posting: Posting): Promise<Posted> {
  const inTime = AbortSignal.timeout(needs.patienceMs)
  const signal = AbortSignal.any([inTime, posting.signal])
  try {
    const addresses = await orAborted(findAddresses(needs, posting.url), signal)
    return await send(posting, addresses, signal)
  } catch (error) {
    if (error instanceof PostFailure) throw error
    if (inTime.aborted)
      throw new PostFailure(`it did not answer within ${needs.patienceMs / 1000} seconds`, true)
    if (posting.signal.aborted) throw new PostFailure('this process was stopped meanwhile')
    throw new PostFailure(wordFor(error))
  }
}

async function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(new Error('aborted'))
  signal.addEventListener('abort', abort, { once: true })
  work.catch(() => undefined)
  return Promise.race([work, aborted.promise]).finally(() =>
    signal.removeEventListener('abort', abort),
  )
}

async function send(
  { url, headers, body }: Posting,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<Posted> {
  const request = url.protocol === 'https:' ? requestByHttps : requestByHttp
  const response = await new Promise<IncomingMessage>((done, fail) => {
    const options = {
      method: 'POST',
      // Uses a new connection, because an existing one was checked at another time.
      agent: false,
      lookup: only(addresses),
      signal,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    }
    request(url, options, done).on('error', fail).end(body)
  })
  return { status: response.statusCode ?? 0, answer: await readBeginning(response) }
}

/** Returns a lookup function that only knows the checked addresses. */
function only(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, options, done) => {
    const [first] = all
    if (options.all === true) done(null, all)
    else done(null, first?.address ?? '', first?.family ?? 4)
  }
}

async function readBeginning(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece)
    bytes += piece.length
    // Leaving the loop closes the connection.
    if (bytes >= MOST_ANSWER_BYTES) break
  }
  const text = Buffer.concat(pieces).subarray(0, MOST_ANSWER_BYTES).toString('utf8')
  return [
    ...toStorable(text)
      .replaceAll(/[\p{C}\s]+/gu, ' ')
      .trim(),
  ]
    .slice(0, MOST_ANSWER)
    .join('')
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'it ended the connection without an answer',
  EPIPE: 'it ended the connection without an answer',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
  ETIMEDOUT: 'it cannot be reached',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'nobody has signed its certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'nobody we trust has signed its certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'nobody we trust has signed its certificate',
  EPROTO: 'it does not speak TLS',
}

/** Uses only the code, because error messages contain addresses. */
function wordFor(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return WORDS[code] ?? (code.startsWith('HPE_') ? 'it does not speak HTTP' : `it failed (${code})`)
}
