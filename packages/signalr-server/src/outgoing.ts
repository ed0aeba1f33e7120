/** Sends to one client in its protocol. With stateful reconnect, stores messages until they are acknowledged. */
import type { Connection } from './connections/connection.ts'
import { createDeferred, type Deferred } from './deferred.ts'
import { HubError } from './hub.ts'
import type { Limits } from './limits.ts'
import { SEQUENCE, isCounted, type HubMessage, type HubProtocol } from './protocol/messages.ts'
import type { Replay } from './protocol/replay.ts'
import type { SharedMessage } from './protocol/shared-message.ts'
import { DroppedError, type Signals } from './signals.ts'

const READY: Promise<void> = Promise.resolve()

/** The output of a hub connection. Before `start` there is no protocol, and nothing is sent. */
export class Outgoing {
  readonly #connection: Connection
  readonly #limits: Limits
  readonly #signals: Signals
  #protocol: HubProtocol | null = null
  #replay: Replay | null = null
  #sentAt = 0
  #draining: Deferred<void> | undefined

  constructor(connection: Connection, limits: Limits, signals: Signals) {
    this.#connection = connection
    this.#limits = limits
    this.#signals = signals
  }

  /** When something was last written, in ms since 1970. */
  get sentAt(): number {
    return this.#sentAt
  }

  /** Called after the handshake with the agreed protocol, and storage for frames if the client may resume. */
  start(protocol: HubProtocol, replay: Replay | null): void {
    this.#protocol = protocol
    this.#replay = replay
    this.#sentAt = Date.now()
  }

  /**
   * Sends the message, or stores it for a client that may resume.
   * @throws HubError for a message that is too large
   */
  send(message: HubMessage): void {
    if (this.#protocol === null || this.#connection.state === 'ended') return
    this.#sendFrame(this.#protocol.write(message), isCounted(message))
  }

  /** Sends a message to many clients, encoded once. */
  sendShared(message: SharedMessage): void {
    if (this.#protocol === null || this.#connection.state === 'ended') return
    this.#sendFrame(message.frameFor(this.#protocol), true)
  }

  /** On a new socket, names the first following frame and sends unacknowledged ones again. */
  resend(): void {
    if (this.#replay === null) return
    const { sequenceId, frames } = this.#replay.resume()
    this.send({ type: SEQUENCE, sequenceId })
    for (const frame of frames) this.#write(frame)
  }

  /** True if senders should wait before they send more. */
  get isFull(): boolean {
    const { outputBytes, replayBytes } = this.#limits
    return (
      this.#connection.state !== 'ended' &&
      (this.#connection.waiting() > outputBytes ||
        (this.#replay !== null && this.#replay.bytes > replayBytes))
    )
  }

  /** Resolves when the client has consumed enough output to send more, or when the connection has ended. */
  drained(): Promise<void> {
    if (!this.isFull) return READY
    this.#draining ??= createDeferred()
    return this.#draining.promise
  }

  /** Called when output was consumed or the connection has ended. */
  relieved(): void {
    if (this.#draining === undefined || this.isFull) return
    this.#draining.resolve()
    this.#draining = undefined
  }

  #sendFrame(frame: Buffer, isStored: boolean): void {
    refuseLarge(frame, this.#limits)
    if (isStored) this.#signals.message('out', frame.length)
    if (isStored && this.#replay !== null) {
      this.#replay.store(frame)
      const { replayBytes, mostOutputBytes } = this.#limits
      const most = this.#connection.state === 'resumable' ? replayBytes : mostOutputBytes
      // A single message may exceed the limit for several.
      if (this.#replay.bytes > most && this.#replay.bytes - this.#replay.largestBytes > most) {
        this.#connection.drop(new DroppedError('slow', 'The client acknowledges too slowly.'))
        return
      }
    }
    this.#write(frame)
  }

  #write(frame: Buffer): void {
    this.#sentAt = Date.now()
    this.#connection.write(frame, this.#protocol?.binary === true)
  }
}

/** @throws HubError for a message over the limit, which is the sender's fault and not the client's */
export function refuseLarge(frame: Uint8Array, { sentBytes }: Pick<Limits, 'sentBytes'>): void {
  if (frame.length > sentBytes)
    throw new HubError(`The message is over the limit of ${sentBytes} bytes.`)
}
