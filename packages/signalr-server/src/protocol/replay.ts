/**
 * Stateful reconnect: what was sent and not acknowledged is stored, to be sent again over the next socket; what comes
 * twice is taken once. Ids count the messages of types 1 to 5 in each direction from 1. It does what the shipped
 * client and server do, which differs from their document: the sequence id is that of the first message that follows.
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

  /** Bytes that the client has not acknowledged. */
  get bytes(): number {
    return this.#bytes
  }

  /** Bytes of the largest message among them. */
  largest(): number {
    return this.#stored.reduce((most, { frame }) => Math.max(most, frame.length), 0)
  }

  /** A counted message goes out, now or after the next resume. */
  store(frame: Buffer): void {
    this.#sent += 1
    this.#stored.push({ id: this.#sent, frame })
    this.#bytes += frame.length
  }

  /** The client has everything up to this id. */
  acknowledge(id: number): void {
    const from = this.#stored.findIndex((stored) => stored.id > id)
    const dropped = this.#stored.splice(0, from === -1 ? this.#stored.length : from)
    for (const { frame } of dropped) this.#bytes -= frame.length
  }

  /** False for what has been taken before, and for all that precedes the client's Sequence. @throws ProtocolError */
  takes(message: HubMessage): boolean {
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

  /** The socket is lost. */
  lose(): void {
    this.#awaitsSequence = true
  }

  /** What to send first over the new socket: the id of the first frame, and the frames. */
  resume(): { sequenceId: number; frames: Buffer[] } {
    return {
      sequenceId: this.#stored[0]?.id ?? this.#sent + 1,
      frames: this.#stored.map((stored) => stored.frame),
    }
  }

  /** The id to acknowledge, or null when the client knows it. */
  dueAck(): number | null {
    if (this.#acknowledged === this.#latestReceived) return null
    this.#acknowledged = this.#latestReceived
    return this.#latestReceived
  }
}
