/** WebSockets: texts for JSON, bytes for MessagePack. */
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import type { Connection } from '../connections/connection.ts'
import type { Limits } from '../limits.ts'
import type { Transport } from './transport.ts'

const NORMAL = 1000
const GOING_AWAY = 1001
const AS_BYTES = { binary: true }
const AS_TEXT = { binary: false }

/** Answers a goodbye without a code by the ordinary one, as clients expect. */
export class PoliteSocket extends WebSocket {
  override close(code = NORMAL, reason?: string | Buffer): void {
    super.close(code, reason)
  }
}

/** Carries a connection over a socket that is open. `stream`: what the socket stands on. */
export function createSocketTransport(
  socket: WebSocket,
  stream: Duplex,
  connection: Connection,
  { closeMs }: Pick<Limits, 'closeMs'>,
): Transport {
  return new SocketTransport(socket, stream, connection, closeMs)
}

/** There is one for each connection, so it holds no more functions than it must. */
class SocketTransport implements Transport {
  readonly name = 'WebSockets'
  readonly carriesBytes = true
  readonly #socket: WebSocket
  readonly #stream: Duplex
  readonly #connection: Connection
  readonly #closeMs: number
  #error: Error | undefined
  #isCorked = false
  // What can't be sent any more is reported by the close that follows.
  readonly #written = () => this.#connection.relieved()

  constructor(socket: WebSocket, stream: Duplex, connection: Connection, closeMs: number) {
    this.#socket = socket
    this.#stream = stream
    this.#connection = connection
    this.#closeMs = closeMs
    socket.on('message', (data: Buffer) => this.#heard(data))
    socket.on('error', (reason) => {
      this.#error = reason
    })
    socket.on('close', (code) => this.#closed(code))
  }

  write(frame: Buffer, binary: boolean): void {
    this.#socket.send(frame, binary ? AS_BYTES : AS_TEXT, this.#written)
  }

  waiting(): number {
    return this.#socket.bufferedAmount
  }

  end(): void {
    // Without a code the client would take it for an accident.
    this.#socket.close(NORMAL)
    const timer = setTimeout(() => this.#socket.terminate(), this.#closeMs)
    timer.unref()
    this.#socket.once('close', () => clearTimeout(timer))
  }

  destroy(): void {
    this.#socket.terminate()
  }

  #heard(data: Buffer): void {
    // What is answered to all that came in one piece goes out in one.
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

  #closed(code: number): void {
    const graceful = code === NORMAL || code === GOING_AWAY
    this.#connection.detach(
      this,
      graceful,
      graceful ? undefined : (this.#error ?? new Error(`The socket closed with ${code}.`)),
    )
  }
}

const uncork = (transport: SocketTransport) => transport.uncork()
