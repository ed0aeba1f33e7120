/** Writes refusals directly to the socket: for malformed HTTP, and in the middle of a request. */
import type { Socket } from 'node:net'
import { Refusal } from '#server/kernel/errors.ts'
import { toProblem } from '#server/kernel/http/http-errors.ts'

/** How long the client may take to read the answer, in ms. */
const LINGER_MS = 1000
const NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
}

/** Writes the problem, in English because the headers are unread, and ends the socket. */
export function refuseOnSocket(socket: Socket, refusal: Refusal): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify(toProblem(refusal, 'en'))
  const { status, retryAfter } = refusal
  socket.end(
    [
      `HTTP/1.1 ${status} ${NAMES[status] ?? 'Refused'}`,
      'content-type: application/problem+json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      ...(retryAfter === undefined ? [] : [`retry-after: ${retryAfter}`]),
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  // Destroys the socket if the client doesn't close its side in time.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** Answers malformed HTTP with 400, and a request that arrives too slowly with 408. */
export function refuseMalformed(error: Error & { readonly code?: string }, socket: Socket): void {
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  refuseOnSocket(socket, isLate ? new Refusal(408, 'tooSlow') : new Refusal(400, 'badRequest'))
}
