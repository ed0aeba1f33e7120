/** Which foreign pages may speak to a hub. */
import type { IncomingMessage, ServerResponse } from 'node:http'

const METHODS = 'GET, POST, DELETE'
const HEADERS = 'authorization, content-type, x-requested-with, x-signalr-user-agent'
const PREFLIGHT_SECONDS = '600'

/** Our own pages send no Origin with GET, or that of their host. */
export function isAllowedOrigin(request: IncomingMessage, origins: readonly string[]): boolean {
  const { origin, host } = request.headers
  if (origin === undefined || origins.includes(origin)) return true
  try {
    return new URL(origin).host === host
  } catch {
    return false
  }
}

/** On every answer, errors too: without these the page can't even read what went wrong. */
export function writeCors(
  request: IncomingMessage,
  response: ServerResponse,
  origins: readonly string[],
): void {
  const { origin } = request.headers
  if (origins.length > 0) response.setHeader('vary', 'origin')
  if (origin === undefined || !origins.includes(origin)) return
  response.setHeader('access-control-allow-origin', origin)
  // The client sends credentials unless told otherwise.
  response.setHeader('access-control-allow-credentials', 'true')
}

/** Answers the preflight question that a browser asks before a call from another origin. */
export function answerPreflight(response: ServerResponse): void {
  response.setHeader('access-control-allow-methods', METHODS)
  response.setHeader('access-control-allow-headers', HEADERS)
  response.setHeader('access-control-max-age', PREFLIGHT_SECONDS)
  response.writeHead(204).end()
}
