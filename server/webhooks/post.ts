/**
 * One POST to somebody else's server: its name is resolved once, all addresses are judged, and the connection goes to
 * those and no other, so that a name which means something else a moment later gains nothing. No redirect is followed;
 * time and answer are bounded.
 */
import { lookup as lookupOfSystem } from 'node:dns'
import { request as requestByHttp, type IncomingMessage } from 'node:http'
import { request as requestByHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { toStorable } from '#server/kernel/text/storable.ts'
import type { MaySend } from '#server/webhooks/addresses.ts'

/** All addresses of a name. Rejects when it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>

export interface PostNeeds {
  readonly maySend: MaySend
  readonly resolve: Resolve
  /** Milliseconds for all of it: name, connection, TLS, request and answer. */
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
  /** The first signs of it, on one line. */
  readonly answer: string
}

/** Why nothing was answered, in words for the log: without the address, which may hold a secret. */
export class PostFailure extends Error {
  /** The server did not answer in time; the next one would wait in vain too. */
  readonly hung: boolean
  constructor(text: string, hung = false) {
    super(text)
    this.hung = hung
  }
}

/** It leads to an address to which nothing is sent. */
export class PrivateAddress extends PostFailure {
  constructor() {
    super('its address is private: nothing is sent there (WEBHOOK_ALLOW_ADDRESSES)')
  }
}

const MOST_ANSWER_BYTES = 2048
const MOST_ANSWER = 500

/** What the system knows of a name, as for every other connection of the process. */
export const resolveBySystem: Resolve = (name) =>
  new Promise((done, fail) => {
    lookupOfSystem(name, { all: true }, (error, found) => {
      if (error) fail(error)
      else done(found.map(({ address }) => address))
    })
  })

/** The addresses to which a name leads, when all of them may be sent to. @throws PostFailure, of these PrivateAddress */
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
  // One that is not allowed spoils the name: which of them is taken is not in our hands.
  if (!addresses.every(maySend)) throw new PrivateAddress()
  return addresses
}

/** Sends it once. Any status is an answer, a redirect too. @throws PostFailure */
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
      // A connection of its own: one that is left over was judged at another time.
      agent: false,
      lookup: only(addresses),
      signal,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    }
    request(url, options, done).on('error', fail).end(body)
  })
  return { status: response.statusCode ?? 0, answer: await readBeginning(response) }
}

/** In the place of a resolver: it knows the judged addresses and nothing else. */
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
    // Leaving the loop ends the connection.
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

/** By the code alone: messages of errors hold addresses. */
function wordFor(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return WORDS[code] ?? (code.startsWith('HPE_') ? 'it does not speak HTTP' : `it failed (${code})`)
}
