/** The server below the framework: how long a connection may say nothing, or not enough. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { LEAST_BYTES_A_SECOND, UPLOAD_SECONDS } from '#contract/limits.ts'
import { networkOf } from '#server/kernel/network.ts'
import { createPlaces } from '#server/kernel/queues/places.ts'

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
  /** Without taking anything of an answer that waits for its reader. */
  readonly stall: number
  /** Bytes a second that a reader takes on average, from `stall` on. */
  readonly leastRate: number
  /** How often connections are looked at for the three above. */
  readonly look: number
}

const TIMES: ConnectionTimes = {
  idle: 10_000,
  spare: 5000,
  head: 15_000,
  stall: 30_000,
  leastRate: LEAST_BYTES_A_SECOND,
  look: 1000,
}

/**
 * Bodies have a clock of their own (see bodies.ts). An answer has as long as its size takes at the least rate. Tests
 * give other times.
 */
export function createHttpServer(
  listener: RequestListener,
  { idle, spare, head, stall, leastRate, look }: ConnectionTimes = TIMES,
  takesUpgrade?: (request: IncomingMessage) => boolean,
): Server {
  const server = createServer(
    {
      // Without it every Upgrade header is taken, also `h2c`, which we may ignore. See RFC 9110, 7.8.
      ...(takesUpgrade !== undefined && { shouldUpgradeCallback: takesUpgrade }),
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
  endStalled(server, { stall, leastRate, look })
  return server
}

/** Ends connections at once that a network opens beyond `each`. */
export function limitConnections(server: Server, each: number): void {
  const places = createPlaces({ each })
  server.on('connection', (socket: Socket) => {
    try {
      socket.once('close', places.take(networkOf(socket.remoteAddress ?? '')))
    } catch {
      socket.destroy()
    }
  })
}

interface Waiting {
  readonly since: number
  /** Bytes that had gone by then. */
  readonly gone: number
}

/**
 * Ends connections whose reader takes nothing more of what waits for them, or too little: each would hold its answer in
 * memory for as long as it likes. A socket's own timeout begins anew when a part of a write has gone; it is on while
 * something waits.
 */
function endStalled(
  server: Server,
  { stall, leastRate, look }: Pick<ConnectionTimes, 'stall' | 'leastRate' | 'look'>,
): void {
  const sockets = new Set<Socket>()
  const waiting = new WeakMap<Socket, Waiting>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('timeout', () => {
      if (waiting.has(socket)) socket.destroy()
    })
  })
  const lookAround = () => {
    const now = performance.now()
    for (const socket of sockets) {
      const waits = socket.writableLength > 0
      const known = waiting.get(socket)
      if (waits && known === undefined) {
        waiting.set(socket, { since: now, gone: socket.bytesWritten - socket.writableLength })
        socket.setTimeout(stall)
      } else if (waits && known !== undefined) {
        // All that was written since, and so what still waits too: a long answer in one piece has its time.
        const allowed = stall + ((socket.bytesWritten - known.gone) / leastRate) * 1000
        if (now - known.since > allowed) socket.destroy()
      } else if (waiting.delete(socket) && socket.timeout === stall) {
        // Unless it has another time by now: the one between two requests.
        socket.setTimeout(0)
      }
    }
  }
  const timer = setInterval(lookAround, look).unref()
  server.once('close', () => clearInterval(timer))
}
