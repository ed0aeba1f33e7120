/** Endpoints that external test suites need besides the hubs: redirects, cookies, the client's script. */
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const WORKER_SCRIPT = '/lib/signalr-webworker/signalr.js'
const HOUR_MS = 3_600_000
let redirects = 0

/** Test suites run on pages of another port. Never do this in a real application. */
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

/** Sets two cookies that the client must return, and an expired one. With TLS, cross-site pages may send them. */
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
 * Returns the target of `/echoredirect`: `/echo` with the same query, or null for other paths. The URL is
 * absolute, because the EventSource of the client in Node doesn't follow relative ones.
 */
export function redirectOf({ url = '', headers, socket }: IncomingMessage): string | null {
  if (!/^\/echoredirect(?=[/?]|$)/i.test(url)) return null
  const scheme = 'encrypted' in socket ? 'https' : 'http'
  return `${scheme}://${headers.host}${url.replace(/^\/echoredirect/i, '/echo')}`
}

/** Returns false for other paths. */
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

/** Sends the official client for web workers. */
async function answerWorkerScript(response: ServerResponse): Promise<void> {
  const main = createRequire(import.meta.url).resolve('@microsoft/signalr')
  const script = await readFile(join(main, '..', '..', 'webworker', 'signalr.js'))
  response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(script)
}
