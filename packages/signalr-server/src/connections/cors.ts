/** Which foreign pages may speak to a hub. */
import type { IncomingMessage, ServerResponse } from 'node:http'

const METHODS = 'GET, POST, DELETE'
const HEADERS = ['authorization', 'content-type', 'x-requested-with', 'x-signalr-user-agent']
const PREFLIGHT_SECONDS = '600'

/**
 * Exact origins, all of them (`'*'`), or a function that knows. Whoever is let in sends the cookies of its visitor, so
 * `'*'` is for hubs that know nobody by a cookie.
 */
export type Origins =
  | readonly string[]
  | '*'
  | ((origin: string, request: IncomingMessage) => boolean)

function isNamed(origin: string, request: IncomingMessage, origins: Origins): boolean {
  if (origins === '*') return true
  return typeof origins === 'function' ? origins(origin, request) : origins.includes(origin)
}

/** Our own pages send no Origin with GET, or that of their host. */
export function isAllowedOrigin(request: IncomingMessage, origins: Origins): boolean {
  const { origin, host } = request.headers
  if (origin === undefined) return true
  try {
    if (new URL(origin).host === host) return true
  } catch {
    // `null`, of a page that has none.
  }
  return isNamed(origin, request, origins)
}

/** On every answer, errors too: without these the page can't even read what went wrong. */
export function writeCors(
  request: IncomingMessage,
  response: ServerResponse,
  origins: Origins,
): void {
  const { origin } = request.headers
  if (typeof origins === 'function' || origins.length > 0) response.setHeader('vary', 'origin')
  if (origin === undefined || !isNamed(origin, request, origins)) return
  response.setHeader('access-control-allow-origin', origin)
  // The client sends credentials unless told otherwise.
  response.setHeader('access-control-allow-credentials', 'true')
}

/** Answers the preflight question that a browser asks before a call from another origin. `more`: headers beside the client's own. */
export function answerPreflight(response: ServerResponse, more: readonly string[]): void {
  response.setHeader('access-control-allow-methods', METHODS)
  response.setHeader('access-control-allow-headers', [...HEADERS, ...more].join(', '))
  response.setHeader('access-control-max-age', PREFLIGHT_SECONDS)
  response.writeHead(204).end()
}
