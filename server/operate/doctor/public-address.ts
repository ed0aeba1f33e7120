/** Checks that PUBLIC_URL leads through all proxies back to this installation. */
import { request as askHttp, type ClientRequest, type RequestOptions } from 'node:http'
import { request as askHttps } from 'node:https'
import { note, ok, reasonOf, wrong, type Finding } from '#server/operate/doctor/finding.ts'
import { makeProof, PROOF_HEADER, SEEN_PATH, type Seen } from '#server/operate/doctor/seen.ts'
import { systemClock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Secrets } from '#server/kernel/keys.ts'
import { isLoopback } from '#server/kernel/loopback.ts'

const PART = 'PUBLIC_URL'
/** A documentation address (RFC 5737), as a caller with a forged header would claim. */
const CLAIMED = '203.0.113.77'
/** Timeout of each request in ms. */
const ANSWER_MS = 4000
const MOST_BYTES = 16 * 1024

interface Asked {
  readonly config: Pick<Config, 'PUBLIC_URL' | 'TRUST_PROXY'>
  /** Address of this installation's server if PUBLIC_URL is not set, or null if it is not running. */
  readonly running: string | null
  /** Null if there is no key yet. */
  readonly secrets: Secrets | null
}

/** Checks that PUBLIC_URL leads here with https, and that request headers and WebSockets arrive. */
export async function examinePublicAddress({
  config,
  running,
  secrets,
}: Asked): Promise<Finding[]> {
  const url = config.PUBLIC_URL ?? running
  if (url === null)
    return [note(PART, 'not set, and no server runs on DATA_DIR: start it, then ask again.')]
  if (secrets === null)
    return [
      note(
        PART,
        `${url} was not asked: there is no signing key yet by which to know the installation.`,
      ),
    ]
  const isLocal = isLoopback(new URL(url).hostname)
  const found = isLocal
    ? config.PUBLIC_URL === undefined
      ? [
          note(
            PART,
            `not set, so links lead to ${url}, which this machine alone reaches. Set it to the address that people use.`,
          ),
        ]
      : []
    : url.startsWith('https:')
      ? []
      : [
          wrong(
            PART,
            `${url} is not https: passwords can be read on their way. Give the proxy a certificate and set PUBLIC_URL to https://…`,
          ),
        ]
  const [seen, socket] = await Promise.all([
    examineSeen(url, config.TRUST_PROXY, secrets),
    examineSocket(url),
  ])
  // Without a response, further checks are pointless.
  return [
    ...found,
    ...seen,
    ...(seen.length === 1 && seen[0]?.part === PART && seen[0].state === 'wrong' ? [] : [socket]),
  ]
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

/** Sends one request on its own connection. @throws errors of the network */
function ask(url: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = { headers, agent: false, timeout: ANSWER_MS }
    const asking: ClientRequest = url.startsWith('https:')
      ? askHttps(url, options)
      : askHttp(url, options)
    const late = setTimeout(() => asking.destroy(new Error(SILENT)), ANSWER_MS)
    asking.on('timeout', () => asking.destroy(new Error(SILENT)))
    asking.on('error', reject)
    asking.on('close', () => clearTimeout(late))
    asking.on('upgrade', ({ statusCode = 0, headers: answered }, socket) => {
      socket.destroy()
      resolve({ status: statusCode, headers: answered, body: '' })
    })
    asking.on('response', (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        body += piece
        if (body.length > MOST_BYTES) response.destroy()
      })
      response.on('close', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      )
      response.on('error', reject)
    })
    asking.end()
  })
}

const SILENT = `nobody answered within ${ANSWER_MS / 1000} seconds`

async function examineSeen(url: string, trusted: number, secrets: Secrets): Promise<Finding[]> {
  let answer: Answer
  try {
    answer = await ask(`${url}${SEEN_PATH}`, {
      [PROOF_HEADER]: makeProof(secrets, systemClock),
      'x-forwarded-for': CLAIMED,
    })
  } catch (error) {
    return [wrong(PART, `${url}: ${reasonOf(error)}. ${adviceOf(error)}`)]
  }
  const { status, headers, body } = answer
  if (status >= 300 && status < 400)
    return [
      wrong(
        PART,
        `${url} redirects to ${String(headers['location'])}. Set PUBLIC_URL to where people end up, or let the proxy pass everything.`,
      ),
    ]
  const seen = readSeen(body)
  if (status >= 500)
    return [
      wrong(
        PART,
        `${url} answers ${status}: the proxy does not reach the server, or that is not ready. Look at both logs.`,
      ),
    ]
  if (status !== 200 || seen === null)
    return [
      wrong(
        PART,
        `${url} answers ${status}, but it is not this installation: another server, another version, or other AUTH_SECRETS.`,
      ),
    ]
  return [ok(PART, `${url} leads here`), ...judgeHeaders(url, trusted, seen)]
}

function readSeen(body: string): Seen | null {
  try {
    const seen: unknown = JSON.parse(body)
    return typeof seen === 'object' && seen !== null && 'forwarded' in seen ? (seen as Seen) : null
  } catch {
    return null
  }
}

const HEADERS = 'headers'

/** Checks what the proxies did to the headers. Returns all problems, or a single ok. */
function judgeHeaders(url: string, trusted: number, seen: Seen): Finding[] {
  const { protocol, host } = new URL(url)
  const found: Finding[] = []
  // The first address is the one we sent. Proxies added the others.
  const proxies = seen.forwarded - 1
  if (seen.address === CLAIMED)
    found.push(
      wrong(
        HEADERS,
        `Whoever calls may claim any address: TRUST_PROXY is ${trusted}, but fewer proxies stand in front that name their caller. Set TRUST_PROXY to their number, and let each set X-Forwarded-For.`,
      ),
    )
  else if (trusted === 0 && proxies > 0)
    found.push(
      wrong(
        HEADERS,
        `A proxy stands in front and TRUST_PROXY is 0, so that all people have the proxy's address and share its limits. Set TRUST_PROXY=${proxies}.`,
      ),
    )
  if (`${seen.protocol}:` !== protocol)
    found.push(
      wrong(
        HEADERS,
        `The server takes ${protocol}// for ${seen.protocol}://. Let the proxy send X-Forwarded-Proto, and set TRUST_PROXY.`,
      ),
    )
  if (seen.host !== host)
    found.push(
      wrong(
        HEADERS,
        `The server hears the host ${seen.host} instead of ${host}. Let the proxy pass Host (nginx: proxy_set_header Host $http_host).`,
      ),
    )
  return found.length > 0 ? found : [ok(HEADERS, 'host, protocol and address arrive as they are')]
}

/**
 * Without a token the hub refuses an upgrade, but with a different error than for a request that lost its upgrade
 * header.
 */
async function examineSocket(url: string): Promise<Finding> {
  const part = 'WebSocket'
  const pass = 'Let the proxy pass Upgrade and Connection for /chatHub (docs/operations.md).'
  try {
    const { status, headers } = await ask(`${url}/chatHub`, {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.from('the doctor looks').toString('base64'),
    })
    if (status === 401 && headers['www-authenticate'] === undefined)
      return ok(part, 'upgrades reach the chat')
    if (status === 401)
      return wrong(
        part,
        `The upgrade was lost on its way, so the chat falls back to slower ways. ${pass}`,
      )
    return wrong(part, `The upgrade was answered ${status}. ${pass}`)
  } catch (error) {
    return wrong(part, `${reasonOf(error)}. ${pass}`)
  }
}

function adviceOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'The name is not known: enter it at your DNS, or set PUBLIC_URL.'
  if (/CERT|SELF_SIGNED|ALTNAME|VERIFY/.test(code))
    return 'Browsers will not trust it: give the proxy a certificate for this name that is valid.'
  if (code === 'EPROTO') return 'It does not speak TLS there: look at the proxy, or at PUBLIC_URL.'
  return 'Start the server and the proxy, and look whether this machine may reach its own public address.'
}
