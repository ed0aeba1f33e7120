/** Refusals past HTTP's own machinery: to what is no HTTP, and in the middle of a request. */
import type { Socket } from 'node:net'
import { Refusal } from '#server/kernel/errors.ts'
import { toProblem } from '#server/kernel/http/http-errors.ts'

/** How long the other side may take to read it. */
const LINGER_MS = 1000
const NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
}

/** Writes the problem, in English because nobody has read the headers, and ends the socket. */
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
  // Whoever does not close their side in time has had their answer.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** What is no HTTP at all gets the bland problem, and what takes too long to become some is answered so. */
export function refuseGarbage(error: Error & { readonly code?: string }, socket: Socket): void {
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  refuseOnSocket(socket, isLate ? new Refusal(408, 'tooSlow') : new Refusal(400, 'badRequest'))
}
