/** What a hub sends to one client, in the client's protocol; with a stateful reconnect, stored until it is acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from './connections/connection.ts'
import { HubError } from './hub.ts'
import type { Limits } from './limits.ts'
import { SEQUENCE, isCounted, type HubMessage, type HubProtocol } from './protocol/messages.ts'
import type { Replay } from './protocol/replay.ts'
import type { SharedMessage } from './protocol/shared-message.ts'

const PAUSE_MS = 10

/** The outgoing half of a hub connection. Before `start` there is no protocol to write in, and nothing is sent. */
export class Outgoing {
  readonly #connection: Connection
  readonly #limits: Limits
  #protocol: HubProtocol | null = null
  #replay: Replay | null = null
  #sentAt = 0

  constructor(connection: Connection, limits: Limits) {
    this.#connection = connection
    this.#limits = limits
  }

  /** When something was last written, in milliseconds since 1970. */
  get sentAt(): number {
    return this.#sentAt
  }

  /** After the handshake: the protocol that both speak, and where frames are stored for a client that may come back. */
  start(protocol: HubProtocol, replay: Replay | null): void {
    this.#protocol = protocol
    this.#replay = replay
    this.#sentAt = Date.now()
  }

  /** Sends the message, or stores it for a client that is coming back. @throws HubError for one that is too large */
  send(message: HubMessage): void {
    if (this.#protocol === null) return
    this.#sendFrame(this.#protocol.write(message), isCounted(message))
  }

  /** The same for a message that many get, which is encoded once for all of them. */
  sendShared(message: SharedMessage): void {
    if (this.#protocol !== null) this.#sendFrame(message.frameFor(this.#protocol), true)
  }

  /** On a new socket: names the first frame that follows, and sends again what was not acknowledged. */
  resend(): void {
    if (this.#replay === null) return
    const { sequenceId, frames } = this.#replay.resume()
    this.send({ type: SEQUENCE, sequenceId })
    for (const frame of frames) this.#write(frame)
  }

  /** Resolves when the client has taken enough that more may be written, or when the connection has ended. */
  async drained(): Promise<void> {
    const { outputBytes, replayBytes } = this.#limits
    const isFull = () =>
      this.#connection.waiting() > outputBytes ||
      (this.#replay !== null && this.#replay.bytes > replayBytes)
    while (isFull() && !this.#connection.ended.aborted) await sleep(PAUSE_MS)
  }

  #sendFrame(frame: Buffer, isStored: boolean): void {
    refuseLarge(frame, this.#limits)
    if (isStored && this.#replay !== null) {
      this.#replay.store(frame)
      const { replayBytes, mostOutputBytes } = this.#limits
      const most = this.#connection.state === 'resumable' ? replayBytes : mostOutputBytes
      // One message may be larger than what may wait of many.
      if (this.#replay.bytes > most && this.#replay.bytes - this.#replay.largest() > most) {
        this.#connection.drop(new Error('The client acknowledges too slowly.'))
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

/** @throws HubError for a message over the limit: its sender's fault, not the client's */
export function refuseLarge(frame: Uint8Array, { sentBytes }: Pick<Limits, 'sentBytes'>): void {
  if (frame.length > sentBytes)
    throw new HubError(`The message is over the limit of ${sentBytes} bytes.`)
}
