/** What arrives from one client, cut into records: first the handshake, then messages of the protocol that it chose. */
import type { Limits } from './limits.ts'
import { ProtocolError, type HubProtocol } from './protocol/messages.ts'
import { BinaryReader, TextReader, type RecordReader } from './protocol/records.ts'

export interface Receiver {
  /** Nothing more is taken. */
  readonly isOver: boolean
  /** The first record. Null: it was refused. */
  shake(record: Buffer): HubProtocol | null
  /** A promise when no more should be read until it settles. */
  take(record: Buffer, protocol: HubProtocol): Promise<void> | undefined
}

type IncomingLimits = Pick<Limits, 'messageBytes' | 'messageMs' | 'messagesASecond'>

/** Seconds over which records are counted: a client may say at once what it kept while it was away. */
const COUNTED_SECONDS = 10

export class Incoming {
  readonly #limits: IncomingLimits
  #reader: RecordReader
  #protocol: HubProtocol | null = null
  /** Records that may come without another second passing, as of `#countedAt`. */
  #spare: number
  #countedAt = 0
  /** When the record that is not whole yet began; 0: there is none. */
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

  /** A record has begun and takes too long to end. */
  isLate(now: number): boolean {
    return this.#begunAt > 0 && now - this.#begunAt > this.#limits.messageMs
  }

  /** Nothing was read for a while: what had begun has its whole time again. */
  goOn(now: number): void {
    if (this.#begunAt > 0) this.#begunAt = now
  }

  /** Hands on what the piece completes. @throws ProtocolError */
  read(piece: Buffer, receiver: Receiver): Promise<void> | undefined {
    const records = this.#reader.read(piece)
    const now = Date.now()
    if (!this.#reader.hasBegun) this.#begunAt = 0
    else if (this.#begunAt === 0 || records.length > 0) this.#begunAt = now
    this.#regain(now)
    // What completes nothing has a cost too.
    if (records.length === 0) this.#count()
    let wait: Promise<void> | undefined
    for (const record of records) {
      if (receiver.isOver) return undefined
      this.#count()
      if (this.#protocol === null) {
        this.#protocol = receiver.shake(record)
        if (this.#protocol === null) return undefined
        // What followed the handshake in the same piece is of the protocol's kind.
        if (this.#protocol.binary) return this.#continueBinary(piece, receiver)
      } else {
        wait = receiver.take(record, this.#protocol) ?? wait
      }
    }
    return wait
  }

  /** Half a record that came over the old socket comes whole over the new one. */
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
    // The clock may have been put back.
    if (seconds > 0 && messagesASecond !== Number.POSITIVE_INFINITY)
      this.#spare = Math.min(
        messagesASecond * COUNTED_SECONDS,
        this.#spare + seconds * messagesASecond,
      )
  }

  #continueBinary(piece: Buffer, receiver: Receiver): Promise<void> | undefined {
    // The first separator ended the handshake; separators behind it are bytes like others.
    const end = piece.indexOf(0x1e) + 1
    this.restart()
    return this.read(piece.subarray(end), receiver)
  }
}
