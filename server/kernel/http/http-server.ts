/** The server below the framework: how long a connection may say nothing, or not enough. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { UPLOAD_SECONDS } from '#contract/limits.ts'

/** Milliseconds. */
export interface ConnectionTimes {
  /** Without a request: before the first one, and between two. */
  readonly idle: number
  /**
   * By how much the end that clients are promised comes before the true one. Who begins a request in the moment in which the server ends the
   * connection loses it; a hint that is shorter than the truth leaves the way's time for both.
   */
  readonly spare: number
  /** For a request's head to arrive. */
  readonly head: number
  /** What connections are looked at for the one above. */
  readonly look: number
}

const TIMES: ConnectionTimes = { idle: 10_000, spare: 5000, head: 15_000, look: 1000 }

/** Bodies have a clock of their own (see bodies.ts); an answer may take as long as it likes. Tests give other times. */
export function createHttpServer(
  listener: RequestListener,
  { idle, spare, head, look }: ConnectionTimes = TIMES,
): Server {
  const server = createServer(
    {
      headersTimeout: head,
      // The longest that any body may take; others end sooner.
      requestTimeout: UPLOAD_SECONDS * 1000 + head,
      connectionsCheckingInterval: look,
      // What clients are promised, and by how much the truth is longer.
      keepAliveTimeout: idle - spare,
      keepAliveTimeoutBuffer: spare,
    },
    (request, response) => {
      request.socket.setTimeout(0)
      listener(request, response)
    },
  )
  // Node's own clock for idle connections begins after their first answer.
  server.on('connection', (socket: Socket) => socket.setTimeout(idle))
  server.on('upgrade', (_request, socket: Socket) => socket.setTimeout(0))
  return server
}
