/** What outside suites ask of a test server beside its hubs: redirects, cookies, the client's own script. */
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const WORKER_SCRIPT = '/lib/signalr-webworker/signalr.js'
const HOUR_MS = 3_600_000
let redirects = 0

/** Suites run on pages of another port; never do this with anything that matters. */
export function allowEverybody(request: IncomingMessage, response: ServerResponse): void {
  const { origin } = request.headers
  if (origin === undefined) return
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-allow-credentials', 'true')
  const method = request.headers['access-control-request-method']
  const headers = request.headers['access-control-request-headers']
  if (method !== undefined) response.setHeader('access-control-allow-methods', method)
  if (headers !== undefined) response.setHeader('access-control-allow-headers', headers)
}

/** Two cookies that are to come back, and one that has expired; over TLS pages of other sites may bring them. */
export function setCookies(request: IncomingMessage, response: ServerResponse): void {
  const rest = `; Path=/${'encrypted' in request.socket ? '; SameSite=None; Secure' : ''}`
  const expired = new Date(Date.now() - HOUR_MS).toUTCString()
  response.setHeader('set-cookie', [
    `testCookie=testValue${rest}`,
    `testCookie2=testValue2${rest}`,
    `expiredCookie=doesntmatter; Expires=${expired}${rest}`,
  ])
}

/**
 * Where `/echoredirect` leads: to `/echo`, with the same rest; null for other addresses. It is whole, as the events of
 * the client in Node follow no other.
 */
export function redirectOf({ url = '', headers, socket }: IncomingMessage): string | null {
  if (!/^\/echoredirect(?=[/?]|$)/i.test(url)) return null
  const scheme = 'encrypted' in socket ? 'https' : 'http'
  return `${scheme}://${headers.host}${url.replace(/^\/echoredirect/i, '/echo')}`
}

/** False when the address is none of these. */
export function answerBesideHubs(request: IncomingMessage, response: ServerResponse): boolean {
  const target = redirectOf(request)
  const path = (request.url ?? '').toLowerCase()
  if (target !== null) {
    response.writeHead(307, { location: target }).end()
  } else if (path.startsWith('/redirect')) {
    redirects += 1
    const base = new URL(request.url ?? '', 'http://localhost').searchParams.get('baseUrl')
    response.end(JSON.stringify({ url: `${base ?? ''}/testHub?numRedirects=${redirects}` }))
  } else if (path.startsWith('/bad-negotiate')) {
    response.writeHead(400).end('Some response from server')
  } else if (path === WORKER_SCRIPT) {
    void answerWorkerScript(response)
  } else {
    return false
  }
  return true
}

/** The official client as web workers load it. */
async function answerWorkerScript(response: ServerResponse): Promise<void> {
  const main = createRequire(import.meta.url).resolve('@microsoft/signalr')
  const script = await readFile(join(main, '..', '..', 'webworker', 'signalr.js'))
  response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(script)
}
