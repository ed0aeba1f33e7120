/**
 * Limits request bodies: the bytes in flight of all callers together, the share of one network, and the time of
 * each body. A body that is no longer wanted is not read further.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import {
  BODIES_BYTES,
  BODY_GAP_SECONDS,
  BODY_SECONDS,
  LEAST_BYTES_A_SECOND,
} from '#contract/limits.ts'
import { Refusal, unavailable } from '#server/kernel/errors.ts'
import { addressOf } from '#server/kernel/http/address.ts'
import { freePiece } from '#server/kernel/http/pieces.ts'
import { refuseOnSocket } from '#server/kernel/http/raw-refusal.ts'
import { networkOf } from '#server/kernel/network.ts'

/** In ms: for the whole body, and between two pieces. */
const TOTAL_MS = BODY_SECONDS * 1000
const GAP_MS = BODY_GAP_SECONDS * 1000
const CHECK_MS = 1000
/** How long the sender of a refused body may take to read the answer, in ms. */
const LINGER_MS = 1000
/**
 * Bytes. If less than this is left of a body after its answer, it is read so that the connection can be reused.
 */
const READABLE_REMAINDER = 64 * 1024

export interface Body {
  /** Bytes received so far. */
  readonly received: number
  /**
   * Overrides the limits: bytes in total, ms in total, and bytes held in memory when the body is written on as it
   * arrives. `onStop` is called at most once, with the reason why no more will come.
   */
  expect(rule: {
    readonly most: number
    readonly totalMs?: number
    readonly held?: number
    readonly onStop?: (why: Refusal) => void
  }): void
}

export interface Bodies {
  /** Watches a request's body, if it has one. Call it before anybody reads the body. */
  watch(request: IncomingMessage, response: ServerResponse): void
  of(request: IncomingMessage): Body | undefined
  /** @throws Refusal 503 when so many bytes are in flight that a new body must wait */
  refuseWhenFull(): void
}

interface Watched {
  received: number
  most: number
  held: number
  totalMs: number
  onStop: ((why: Refusal) => void) | null
  readonly begun: number
  lastPiece: number
  isStopped: boolean
  readonly network: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

const RETRY_SECONDS = 5

/** `each` limits the bytes in flight of one network, and `proxies` is the number of trusted proxies. */
export function createBodies({
  most = BODIES_BYTES,
  each = Infinity,
  gapMs = GAP_MS,
  totalMs = TOTAL_MS,
  proxies = 0,
} = {}): Bodies {
  const watched = new Map<IncomingMessage, Watched>()
  let timer: NodeJS.Timeout | undefined

  let underWay = 0
  const ofNetworks = new Map<string, number>()
  const bytesOf = ({ received, held }: Watched) => Math.min(received, held)
  const add = ({ network }: Watched, bytes: number) => {
    underWay += bytes
    const left = (ofNetworks.get(network) ?? 0) + bytes
    if (left > 0) ofNetworks.set(network, left)
    else ofNetworks.delete(network)
  }
  const change = (body: Watched, act: () => void) => {
    const before = bytesOf(body)
    act()
    add(body, bytesOf(body) - before)
  }

  /** Tells the body's reader or, without one, its sender. */
  const stop = (body: Watched, why: Refusal): void => {
    if (body.isStopped) return
    body.isStopped = true
    if (body.onStop !== null) body.onStop(why)
    else if (body.response.headersSent) body.request.destroy()
    else refuseOnSocket(body.request.socket, why)
  }

  const checkTimeouts = () => {
    const now = performance.now()
    for (const body of watched.values()) {
      if (body.request.complete) continue
      const passed = now - body.begun
      const isSlow = passed > TOTAL_MS && body.received < (passed / 1000) * LEAST_BYTES_A_SECOND
      if (now - body.lastPiece > gapMs || passed > body.totalMs || isSlow)
        stop(body, new Refusal(408, 'tooSlow'))
    }
    if (watched.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  /** Returns false when no more of the body should be read. */
  const take = (body: Watched, bytes: number): boolean => {
    if (body.isStopped) return false
    change(body, () => {
      body.received += bytes
    })
    body.lastPiece = performance.now()
    if (body.received > body.most) stop(body, new Refusal(413, 'tooLarge'))
    else if (underWay > most) stop(body, unavailable(RETRY_SECONDS))
    else if ((ofNetworks.get(body.network) ?? 0) > each)
      stop(body, new Refusal(429, 'tooManyRequests', { retryAfter: RETRY_SECONDS }))
    return !body.isStopped
  }

  return {
    watch: (request, response) => {
      if (!hasBody(request)) return
      const now = performance.now()
      const body: Watched = {
        received: 0,
        most: Infinity,
        held: Infinity,
        totalMs,
        onStop: null,
        begun: now,
        lastPiece: now,
        isStopped: false,
        network: networkOf(addressOf(request, proxies)),
        request,
        response,
      }
      watched.set(request, body)
      timer ??= setInterval(checkTimeouts, Math.min(CHECK_MS, gapMs)).unref()
      // The HTTP parser hands every piece to push(), even if a reader takes it later.
      const push = request.push.bind(request)
      request.push = (piece: Buffer | null) =>
        piece === null ? push(null) : take(body, piece.length) ? push(piece) : drop(piece)
      announceClose(body)
      response.once('finish', () => {
        if (!request.complete) endEarlyAnswered(body)
      })
      response.once('close', () => {
        if (watched.delete(request)) add(body, -bytesOf(body))
      })
    },
    of: (request) => {
      const body = watched.get(request)
      if (body === undefined) return undefined
      return {
        get received() {
          return body.received
        },
        expect: (rule) => {
          body.most = rule.most
          body.totalMs = rule.totalMs ?? body.totalMs
          change(body, () => {
            body.held = rule.held ?? body.held
          })
          body.onStop = rule.onStop ?? body.onStop
        },
      }
    },
    refuseWhenFull: () => {
      if (underWay >= most) throw unavailable(RETRY_SECONDS)
    },
  }
}

/** Frees a piece that nobody reads. */
function drop(piece: Buffer): false {
  freePiece(piece)
  return false
}

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Returns true when too much is left of the body to read it. */
function isCutOff({ request, received, isStopped }: Watched): boolean {
  const left = Number(request.headers['content-length'] ?? Infinity) - received
  return !request.complete && (isStopped || left > READABLE_REMAINDER)
}

/**
 * Announces `connection: close` on the answer to a body that will be cut off. Otherwise a client that has sent
 * everything would reuse the connection and lose its next request, and the framework's own way to close would cut
 * off the answer too.
 */
function announceClose(body: Watched): void {
  const { request, response } = body
  response.writeHead = new Proxy(response.writeHead.bind(response), {
    apply: (write, _self, words) => {
      if (isCutOff(body)) {
        const { socket } = request
        response.shouldKeepAlive = false
        socket.destroySoon = () => {
          socket.end()
          destroyLater(socket)
        }
      }
      return Reflect.apply(write, response, words)
    },
  })
}

function destroyLater(socket: Socket): void {
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/**
 * Handles a body that is still arriving after its answer: reads a short remainder, cuts off a long one once the
 * answer is read. The body's readers are no longer told that their caller disconnected.
 */
function endEarlyAnswered(body: Watched): void {
  const { request } = body
  const { socket } = request
  const leave = () => request.destroy()
  socket.once('close', leave)
  // A reused connection gets this listener again with every request that is answered early.
  request.once('close', () => socket.off('close', leave))
  if (!isCutOff(body)) return
  // Pauses after the framework has begun to discard the remainder.
  setImmediate(() => socket.pause())
  destroyLater(socket)
}
