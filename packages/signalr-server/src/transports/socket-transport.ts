/** WebSockets: text frames for JSON, binary frames for MessagePack. */
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import type { Connection } from '../connections/connection.ts'
import type { Limits } from '../limits.ts'
import type { Transport } from './transport.ts'

const NORMAL = 1000
const GOING_AWAY = 1001
/** A close frame without a code, as older clients send. */
const NO_STATUS = 1005
const AS_BYTES = { binary: true }
const AS_TEXT = { binary: false }

/** Maximum size of a frame header. */
const HEAD_BYTES = 10

/** Responds to a close frame without a code with the normal code, as clients expect. */
export class PoliteSocket extends WebSocket {
  /** Stored here, so that all sockets can share the same listeners. */
  carrier: SocketTransport | undefined

  override close(code = NORMAL, reason?: string | Buffer): void {
    super.close(code, reason)
  }
}

/** Uses an open socket as a transport. `stream` is its underlying stream. */
export function createSocketTransport(
  socket: PoliteSocket,
  stream: Duplex,
  connection: Connection,
  limits: SocketLimits,
): Transport {
  return new SocketTransport(socket, stream, connection, limits)
}

type SocketLimits = Pick<Limits, 'closeMs' | 'outputBytes' | 'messageMs'>

/** There is one per connection, so it avoids closures. */
class SocketTransport implements Transport {
  readonly name = 'WebSockets'
  readonly supportsBinary = true
  readonly #socket: PoliteSocket
  readonly #stream: Duplex
  readonly #connection: Connection
  readonly #limits: SocketLimits
  #error: Error | undefined
  #isCorked = false
  #written: (() => void) | undefined
  /** Bytes received up to the end of the latest frame. */
  #bytesRead = 0
  /** When bytes of an incomplete frame were first seen, or 0. */
  #begunAt = 0

  constructor(socket: PoliteSocket, stream: Duplex, connection: Connection, limits: SocketLimits) {
    this.#socket = socket
    this.#stream = stream
    this.#connection = connection
    this.#limits = limits
    socket.carrier = this
    socket.on('message', onSocketMessage)
    socket.on('error', failed)
    socket.on('close', closed)
    socket.on('ping', noted)
    socket.on('pong', noted)
  }

  write(frame: Buffer, binary: boolean): void {
    const options = binary ? AS_BYTES : AS_TEXT
    // A callback is only needed if somebody waits for the queue to drain.
    if (this.bufferedBytes() + frame.length + HEAD_BYTES > this.#limits.outputBytes) {
      // The close event reports output that can't be sent.
      this.#written ??= () => this.#connection.relieved()
      this.#socket.send(frame, options, this.#written)
    } else this.#socket.send(frame, options)
  }

  bufferedBytes(): number {
    return this.#socket.bufferedAmount
  }

  /** The library reports a frame only at its end, so this compares the bytes read from the socket. */
  isStalled(now: number): boolean {
    const isBegun = bytesReadOf(this.#stream) > this.#bytesRead
    if (!isBegun || this.#socket.isPaused) this.#begunAt = 0
    else if (this.#begunAt === 0) this.#begunAt = now
    return this.#begunAt > 0 && now - this.#begunAt > this.#limits.messageMs
  }

  /** Called when a frame has ended. */
  noted(): void {
    this.#bytesRead = bytesReadOf(this.#stream)
    this.#begunAt = 0
  }

  end(): void {
    // Without a code the client would report an error.
    this.#socket.close(NORMAL)
    const timer = setTimeout(() => this.#socket.terminate(), this.#limits.closeMs)
    timer.unref()
    this.#socket.once('close', () => clearTimeout(timer))
  }

  destroy(): void {
    this.#socket.terminate()
  }

  heard(data: Buffer): void {
    this.noted()
    // Combines all responses to one received piece into one write.
    if (!this.#isCorked) {
      this.#isCorked = true
      this.#stream.cork()
      setImmediate(uncork, this)
    }
    const wait = this.#connection.receive(data)
    if (wait === undefined) return
    this.#socket.pause()
    void wait.finally(() => this.#socket.resume())
  }

  uncork(): void {
    this.#isCorked = false
    this.#stream.uncork()
  }

  failed(reason: Error): void {
    this.#error = reason
  }

  closed(code: number): void {
    const graceful = code === NORMAL || code === GOING_AWAY || code === NO_STATUS
    this.#connection.detach(
      this,
      graceful,
      graceful ? undefined : (this.#error ?? new Error(`The socket closed with ${code}.`)),
    )
  }
}

const uncork = (transport: SocketTransport) => transport.uncork()

function onSocketMessage(this: WebSocket, data: Buffer): void {
  carrierOf(this)?.heard(data)
}

function noted(this: WebSocket): void {
  carrierOf(this)?.noted()
}

function failed(this: WebSocket, reason: Error): void {
  carrierOf(this)?.failed(reason)
}

function closed(this: WebSocket, code: number): void {
  carrierOf(this)?.closed(code)
}

const bytesReadOf = (stream: Duplex): number =>
  'bytesRead' in stream && typeof stream.bytesRead === 'number' ? stream.bytesRead : 0

function carrierOf(socket: WebSocket): SocketTransport | undefined {
  return socket instanceof PoliteSocket ? socket.carrier : undefined
}
