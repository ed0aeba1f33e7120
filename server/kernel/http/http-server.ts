/** The HTTP server below the framework, with timeouts for idle and slow connections. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { LEAST_BYTES_A_SECOND, UPLOAD_SECONDS } from '#contract/limits.ts'
import { Queue } from '#server/kernel/limits/queue.ts'
import { networkOf } from '#server/kernel/network.ts'

/** All times are in ms. */
export interface ConnectionTimes {
  /** Without a request: before the first one, and between two. */
  readonly idle: number
  /**
   * The keep-alive timeout that clients see is shorter by this. A client that begins a request just as the server
   * closes the connection loses it, so the difference covers the round trip.
   */
  readonly spare: number
  /** For a request's head to arrive. */
  readonly head: number
  /** Without the reader taking any bytes of an answer. */
  readonly stall: number
  /** Bytes a second that a reader must take on average, once `stall` has passed. */
  readonly leastRate: number
  /** The interval at which `head`, `stall` and `leastRate` are checked. */
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

/** Bodies have timeouts of their own (see bodies.ts). An answer may take as long as its size at the least rate. */
export function createHttpServer(
  listener: RequestListener,
  { idle, spare, head, stall, leastRate, look }: ConnectionTimes = TIMES,
  takesUpgrade?: (request: IncomingMessage) => boolean,
): Server {
  const server = createServer(
    {
      // Without it Node takes every Upgrade header, even `h2c`, which a server may ignore. See RFC 9110, 7.8.
      ...(takesUpgrade !== undefined && { shouldUpgradeCallback: takesUpgrade }),
      headersTimeout: head,
      // The longest time of any body; others end sooner.
      requestTimeout: UPLOAD_SECONDS * 1000 + head,
      connectionsCheckingInterval: look,
      // Clients see `keepAliveTimeout`; the server waits longer by the buffer.
      keepAliveTimeout: idle - spare,
      keepAliveTimeoutBuffer: spare,
    },
    (request, response) => {
      request.socket.setTimeout(0)
      listener(request, response)
    },
  )
  // Node's own timeout for idle connections begins only after their first answer.
  server.on('connection', (socket: Socket) => socket.setTimeout(idle))
  server.on('upgrade', (_request, socket: Socket) => socket.setTimeout(0))
  endStalled(server, { stall, leastRate, look })
  return server
}

/** Closes connections of a network beyond `each`. */
export function limitConnections(server: Server, each: number): void {
  const queue = new Queue({ atOnce: { each } })
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '')
    if (queue.hasRoom(network)) socket.once('close', queue.take(network))
    else socket.destroy()
  })
}

interface Waiting {
  readonly since: number
  /** Bytes sent by then. */
  readonly gone: number
}

/**
 * Ends connections whose readers take nothing, or too little, of a waiting answer: each would hold its answer in
 * memory indefinitely. A socket's own timeout restarts whenever part of a write is sent, so it is on only while
 * bytes wait.
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
  const checkSockets = () => {
    const now = performance.now()
    for (const socket of sockets) {
      const waits = socket.writableLength > 0
      const known = waiting.get(socket)
      if (waits && known === undefined) {
        waiting.set(socket, { since: now, gone: socket.bytesWritten - socket.writableLength })
        socket.setTimeout(stall)
      } else if (waits && known !== undefined) {
        // Counts everything written since, including what still waits, so a long answer in one piece gets its
        // time.
        const allowed = stall + ((socket.bytesWritten - known.gone) / leastRate) * 1000
        if (now - known.since > allowed) socket.destroy()
      } else if (waiting.delete(socket) && socket.timeout === stall) {
        // The socket may already have another timeout: the one between two requests.
        socket.setTimeout(0)
      }
    }
  }
  const timer = setInterval(checkSockets, look).unref()
  server.once('close', () => clearInterval(timer))
}
