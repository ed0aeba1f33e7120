/** What arrives from one client, cut into records: first the handshake, then messages of the protocol that it chose. */
import type { HubProtocol } from './protocol/messages.ts'
import { BinaryReader, TextReader, type RecordReader } from './protocol/records.ts'

export interface Receiver {
  /** Nothing more is taken. */
  readonly isOver: boolean
  /** The first record. Null: it was refused. */
  shake(record: Buffer): HubProtocol | null
  /** A promise when no more should be read until it settles. */
  take(record: Buffer, protocol: HubProtocol): Promise<void> | undefined
}

export class Incoming {
  readonly #messageBytes: number
  #reader: RecordReader
  #protocol: HubProtocol | null = null

  constructor(messageBytes: number) {
    this.#messageBytes = messageBytes
    this.#reader = new TextReader(messageBytes)
  }

  /** Null before the handshake. */
  get protocol(): HubProtocol | null {
    return this.#protocol
  }

  /** Hands on what the piece completes. @throws ProtocolError */
  read(piece: Buffer, receiver: Receiver): Promise<void> | undefined {
    let wait: Promise<void> | undefined
    for (const record of this.#reader.read(piece)) {
      if (receiver.isOver) return undefined
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
    this.#reader = new Reader(this.#messageBytes)
  }

  #continueBinary(piece: Buffer, receiver: Receiver): Promise<void> | undefined {
    // The first separator ended the handshake; separators behind it are bytes like others.
    const end = piece.indexOf(0x1e) + 1
    this.restart()
    return this.read(piece.subarray(end), receiver)
  }
}
