/**
 * Stateful reconnect: stores unacknowledged messages, sends them again over the next socket, and ignores
 * duplicates. Messages of types 1 to 5 are numbered from 1 in each direction. Unlike the specification, and like
 * Microsoft's client and server, a Sequence message carries the id of the first message after it.
 */
import { ProtocolError, SEQUENCE, isCounted, type HubMessage } from './messages.ts'

interface StoredFrame {
  readonly id: number
  readonly frame: Buffer
}

export class Replay {
  #stored: StoredFrame[] = []
  #bytes = 0
  #sent = 0
  #nextReceived = 1
  #latestReceived = 0
  #acknowledged = 0
  #awaitsSequence = false

  /** Size of all unacknowledged messages. */
  get bytes(): number {
    return this.#bytes
  }

  /** Size of the largest unacknowledged message. */
  get largestBytes(): number {
    return this.#stored.reduce((most, { frame }) => Math.max(most, frame.length), 0)
  }

  /** Stores a counted message that is sent now or after the next resume. */
  store(frame: Buffer): void {
    this.#sent += 1
    this.#stored.push({ id: this.#sent, frame })
    this.#bytes += frame.length
  }

  /** The client has received everything up to this id. */
  acknowledge(id: number): void {
    const from = this.#stored.findIndex((stored) => stored.id > id)
    const dropped = this.#stored.splice(0, from === -1 ? this.#stored.length : from)
    for (const { frame } of dropped) this.#bytes -= frame.length
  }

  /**
   * Returns false for duplicates, and for everything before the client's Sequence message.
   * @throws ProtocolError
   */
  accept(message: HubMessage): boolean {
    if (message.type === SEQUENCE) {
      this.#awaitsSequence = false
      if (message.sequenceId < 1 || message.sequenceId > this.#latestReceived + 1)
        throw new ProtocolError('a sequence that leaves a gap')
      this.#nextReceived = message.sequenceId
      return false
    }
    if (this.#awaitsSequence) return false
    if (!isCounted(message)) return true
    const id = this.#nextReceived
    this.#nextReceived += 1
    if (id <= this.#latestReceived) return false
    this.#latestReceived = id
    return true
  }

  /** Called when the socket is lost. */
  onDisconnect(): void {
    this.#awaitsSequence = true
  }

  /** Returns what to send first over the new socket: the id of the first frame, and the frames. */
  resume(): { sequenceId: number; frames: Buffer[] } {
    return {
      sequenceId: this.#stored[0]?.id ?? this.#sent + 1,
      frames: this.#stored.map((stored) => stored.frame),
    }
  }

  /** Returns the id to acknowledge now, or null if the client already knows it. */
  takeAck(): number | null {
    if (this.#acknowledged === this.#latestReceived) return null
    this.#acknowledged = this.#latestReceived
    return this.#latestReceived
  }
}
