/**
 * Bodies on their way in. However many callers send, and however slowly: what is under way together has a bound, of
 * which a network has a share, each body has its time, and one that is no longer wanted is read no further.
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
import { letGo } from '#server/kernel/http/pieces.ts'
import { refuseOnSocket } from '#server/kernel/http/raw-refusal.ts'
import { networkOf } from '#server/kernel/network.ts'

/** Milliseconds for the whole, and between two pieces. */
const TOTAL_MS = BODY_SECONDS * 1000
const GAP_MS = BODY_GAP_SECONDS * 1000
const LOOK_MS = 1000
/** How long the sender of a refused body may take to read the answer. */
const LINGER_MS = 1000
/** What is left of a body that was answered early, and is read so that the connection can be used again. */
const WORTH_READING = 64 * 1024

export interface Body {
  /** Bytes that have come. */
  readonly received: number
  /**
   * Other bounds than usual: bytes in all, milliseconds in all, and what of it is held in memory at most, where it is
   * written on at once. `onStop` hears why no more is to come; it hears it once.
   */
  expect(rule: {
    readonly most: number
    readonly totalMs?: number
    readonly held?: number
    readonly onStop?: (why: Refusal) => void
  }): void
}

export interface Bodies {
  /** Watches a request's body, if it has one. To be called before anybody reads it. */
  watch(request: IncomingMessage, response: ServerResponse): void
  of(request: IncomingMessage): Body | undefined
  /** @throws Refusal 503 when so much is under way that a new body must wait */
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

/** `each`: bytes under way of one network. `proxies`: the trusted ones. Tests give other numbers. */
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

  /** Tells whoever reads it; with nobody there, the sender. */
  const stop = (body: Watched, why: Refusal): void => {
    if (body.isStopped) return
    body.isStopped = true
    if (body.onStop !== null) body.onStop(why)
    else if (body.response.headersSent) body.request.destroy()
    else refuseOnSocket(body.request.socket, why)
  }

  const look = () => {
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

  /** False: no more of it is to be read. */
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
      timer ??= setInterval(look, Math.min(LOOK_MS, gapMs)).unref()
      // The parser hands each piece to this method, whoever reads them later.
      const push = request.push.bind(request)
      request.push = (piece: Buffer | null) =>
        piece === null ? push(null) : take(body, piece.length) ? push(piece) : drop(piece)
      sayWhenLast(body)
      response.once('finish', () => {
        if (!request.complete) endSoon(body)
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

/** Nobody reads it any more. */
function drop(piece: Buffer): false {
  letGo(piece)
  return false
}

/** Whether a request announces a body, by its length or by sending it in chunks. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** More is to come than is worth reading. */
function isCutOff({ request, received, isStopped }: Watched): boolean {
  const left = Number(request.headers['content-length'] ?? Infinity) - received
  return !request.complete && (isStopped || left > WORTH_READING)
}

/**
 * The answer to a body that will be cut off says that it is the connection's last: whoever has sent everything would
 * use it again and lose the next request. The server's own way to end it would cut the answer off, too.
 */
function sayWhenLast(body: Watched): void {
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
 * The answer is out and the body still comes: a short remainder is read, a long one is cut off once the answer is read.
 * By then nobody tells the body's readers any more that their caller has gone.
 */
function endSoon(body: Watched): void {
  const { request } = body
  const { socket } = request
  const leave = () => request.destroy()
  socket.once('close', leave)
  // A reused connection meets this again with every request that is answered early.
  request.once('close', () => socket.off('close', leave))
  if (!isCutOff(body)) return
  // After the framework has begun to read the remainder away.
  setImmediate(() => socket.pause())
  destroyLater(socket)
}
