/** Splits a client's data into records: first the handshake, then messages of the chosen protocol. */
import type { Limits } from './limits.ts'
import { ProtocolError, type HubProtocol } from './protocol/messages.ts'
import { BinaryReader, TextReader, type RecordReader } from './protocol/records.ts'

export interface Receiver {
  /** True if nothing more is accepted. */
  readonly isOver: boolean
  /** Handles the first record. Returns null if it was refused. */
  shake(record: Buffer): HubProtocol | null
  /** Returns a promise if reading must pause until it settles. */
  take(record: Buffer, protocol: HubProtocol): Promise<void> | undefined
}

type IncomingLimits = Pick<Limits, 'messageBytes' | 'messageMs' | 'messagesASecond'>

/**
 * Rate limit window in seconds. It allows bursts, because a client may send at once what it queued while
 * disconnected.
 */
const COUNTED_SECONDS = 10

export class Incoming {
  readonly #limits: IncomingLimits
  #reader: RecordReader
  #protocol: HubProtocol | null = null
  /** Remaining records of the rate limit as of `#countedAt`. */
  #spare: number
  #countedAt = 0
  /** When the current incomplete record started, or 0. */
  #begunAt = 0

  constructor(limits: IncomingLimits) {
    this.#limits = limits
    this.#reader = new TextReader(limits.messageBytes)
    this.#spare = limits.messagesASecond * COUNTED_SECONDS
  }

  /** Null before the handshake. */
  get protocol(): HubProtocol | null {
    return this.#protocol
  }

  /** Returns true if an incomplete record takes too long. */
  isLate(now: number): boolean {
    return this.#begunAt > 0 && now - this.#begunAt > this.#limits.messageMs
  }

  /** Restarts the timeout of an incomplete record after a pause in reading. */
  goOn(now: number): void {
    if (this.#begunAt > 0) this.#begunAt = now
  }

  /** Passes on the records that the piece completes. @throws ProtocolError */
  read(piece: Buffer, receiver: Receiver): Promise<void> | undefined {
    const records = this.#reader.read(piece)
    const now = Date.now()
    if (!this.#reader.hasBegun) this.#begunAt = 0
    else if (this.#begunAt === 0 || records.length > 0) this.#begunAt = now
    this.#regain(now)
    // A piece that completes no record also counts.
    if (records.length === 0) this.#count()
    let wait: Promise<void> | undefined
    for (const record of records) {
      if (receiver.isOver) return undefined
      this.#count()
      if (this.#protocol === null) {
        this.#protocol = receiver.shake(record)
        if (this.#protocol === null) return undefined
        // Bytes after the handshake in the same piece belong to the chosen protocol.
        if (this.#protocol.binary) return this.#continueBinary(piece, receiver)
      } else {
        wait = receiver.take(record, this.#protocol) ?? wait
      }
    }
    return wait
  }

  /** An incomplete record from the old socket is sent completely over the new one. */
  restart(): void {
    const Reader = this.#protocol?.binary === true ? BinaryReader : TextReader
    this.#reader = new Reader(this.#limits.messageBytes)
    this.#begunAt = 0
  }

  #count(): void {
    if (this.#spare < 1) throw new ProtocolError('too many messages')
    this.#spare -= 1
  }

  #regain(now: number): void {
    const { messagesASecond } = this.#limits
    const seconds = (now - this.#countedAt) / 1000
    this.#countedAt = now
    // The clock may have been set back.
    if (seconds > 0 && messagesASecond !== Number.POSITIVE_INFINITY)
      this.#spare = Math.min(
        messagesASecond * COUNTED_SECONDS,
        this.#spare + seconds * messagesASecond,
      )
  }

  #continueBinary(piece: Buffer, receiver: Receiver): Promise<void> | undefined {
    // The first separator ended the handshake. Later ones belong to the binary data.
    const end = piece.indexOf(0x1e) + 1
    this.restart()
    return this.read(piece.subarray(end), receiver)
  }
}
