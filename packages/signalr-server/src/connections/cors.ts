/** Decides which other origins may use a hub. */
import type { IncomingMessage, ServerResponse } from 'node:http'

const METHODS = 'GET, POST, DELETE'
const HEADERS = ['authorization', 'content-type', 'x-requested-with', 'x-signalr-user-agent']
const PREFLIGHT_SECONDS = '600'

/**
 * Exact origins, all of them (`'*'`), or a function. Allowed pages send their visitors' cookies, so `'*'` is only
 * for hubs that don't authenticate by cookie.
 */
export type Origins =
  | readonly string[]
  | '*'
  | ((origin: string, request: IncomingMessage) => boolean)

function isNamed(origin: string, request: IncomingMessage, origins: Origins): boolean {
  if (origins === '*') return true
  return typeof origins === 'function' ? origins(origin, request) : origins.includes(origin)
}

/** Same-origin pages send no Origin with GET, or that of their host. */
export function isAllowedOrigin(request: IncomingMessage, origins: Origins): boolean {
  const { origin, host } = request.headers
  if (origin === undefined) return true
  try {
    if (new URL(origin).host === host) return true
  } catch {
    // An opaque origin sends `null`.
  }
  return isNamed(origin, request, origins)
}

/** Needed on all responses, including errors, because otherwise the page can't read them. */
export function writeCors(
  request: IncomingMessage,
  response: ServerResponse,
  origins: Origins,
): void {
  const { origin } = request.headers
  if (typeof origins === 'function' || origins.length > 0) response.setHeader('vary', 'origin')
  if (origin === undefined || !isNamed(origin, request, origins)) return
  response.setHeader('access-control-allow-origin', origin)
  // The client sends credentials by default.
  response.setHeader('access-control-allow-credentials', 'true')
}

/** Responds to a preflight request. `more` are headers in addition to the client's own. */
export function answerPreflight(response: ServerResponse, more: readonly string[]): void {
  response.setHeader('access-control-allow-methods', METHODS)
  response.setHeader('access-control-allow-headers', [...HEADERS, ...more].join(', '))
  response.setHeader('access-control-max-age', PREFLIGHT_SECONDS)
  response.writeHead(204).end()
}
