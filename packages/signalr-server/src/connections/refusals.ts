import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Wait } from './admission.ts'

/** Without text there is no body, because the client then shows the status. */
export function refuse(
  response: ServerResponse,
  status: number,
  text = '',
  type = 'text/plain',
): void {
  response
    .writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(text),
      ...((status === 413 || status === 408) && { connection: 'close' }),
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    })
    .end(text)
}

/** A refusal with a text that clients show. */
export interface RefusedInWords {
  readonly status: 401 | 403
  readonly text: string
}

const WORDS_TYPE = 'text/plain; charset=utf-8'

export function refuseInWords(
  request: IncomingMessage,
  response: ServerResponse,
  { status, text }: RefusedInWords,
): void {
  request.resume()
  refuse(response, status, text, WORDS_TYPE)
}

/** Sent instead of a negotiation response. */
export function refuseBusy(
  request: IncomingMessage,
  response: ServerResponse,
  { seconds }: Wait,
): void {
  request.resume()
  response.setHeader('retry-after', seconds)
  refuse(response, 429)
}

/** Retry-After in seconds when authentication is unavailable. */
export const AWAY_SECONDS = 5

/** Used when authentication is unavailable. */
export function refuseAway(request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  response.setHeader('retry-after', AWAY_SECONDS)
  refuse(response, 503)
}

const WORDS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** Refuses an upgrade with the reason and a Retry-After. */
export function refuseSocket(
  socket: Duplex,
  status: number,
  { wait, text = '' }: { readonly wait?: Wait; readonly text?: string } = {},
): void {
  const again = wait === undefined ? '' : `Retry-After: ${wait.seconds}\r\n`
  const type = text === '' ? '' : `Content-Type: ${WORDS_TYPE}\r\n`
  socket.end(
    `HTTP/1.1 ${status} ${WORDS[status] ?? ''}\r\n${again}${type}Connection: close\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}
