/** The hub protocol over one connection: handshake, messages, pings, goodbye. */
import type { Application, Connection } from './connections/connection.ts'
import { describeError } from './call-errors.ts'
import { Dispatcher, type Around } from './dispatcher.ts'
import { readHandshake, writeHandshake } from './protocol/handshake.ts'
import { HubError, type HubContext, type HubDefinition, type MethodTable } from './hub.ts'
import type { Limits } from './limits.ts'
import { Outgoing } from './outgoing.ts'
import {
  ACK,
  CLOSE,
  PING,
  ProtocolError,
  SEQUENCE,
  isCounted,
  type HubMessage,
  type HubProtocol,
} from './protocol/messages.ts'
import { createBinaryReader, createTextReader, type RecordReader } from './protocol/records.ts'
import { Replay } from './protocol/replay.ts'
import type { SharedMessage } from './protocol/shared-message.ts'

const STATEFUL_VERSION = 2
const CLOSED = 'Connection closed with an error.'

export interface HubConnectionNeeds {
  readonly definition: HubDefinition
  readonly methods: MethodTable
  readonly limits: Limits
  readonly detailedErrors: boolean
  readonly createContext: (connection: HubConnection) => HubContext
  /** Known to others from here on. */
  readonly onOpen: (connection: HubConnection) => Promise<void>
  readonly onEnd: (connection: HubConnection) => void
  readonly onFault: (error: unknown, where: string) => void
  /** Told of each message but pings and the like. */
  readonly onMessage?: (direction: 'in' | 'out') => void
  readonly around?: Around
}

export class HubConnection implements Application {
  readonly connection: Connection
  readonly groups = new Set<string>()
  readonly #needs: HubConnectionNeeds
  readonly #dispatcher: Dispatcher
  readonly #context: HubContext
  readonly #outgoing: Outgoing
  #reader: RecordReader
  #protocol: HubProtocol | null = null
  #replay: Replay | null = null
  #isOpen = false
  #openedAt = 0
  #heardAt = 0
  #acknowledgedAt = 0
  /** Pieces whose calls wait: behind them nothing is read. */
  #held = 0
  /** The client pings, so its silence means something. */
  #pings = false

  constructor(connection: Connection, needs: HubConnectionNeeds) {
    this.connection = connection
    this.#needs = needs
    this.#outgoing = new Outgoing(connection, needs.limits)
    this.#reader = createTextReader(needs.limits.messageBytes)
    this.#context = needs.createContext(this)
    this.#dispatcher = new Dispatcher({
      methods: needs.methods,
      context: this.#context,
      limits: needs.limits,
      detailedErrors: needs.detailedErrors,
      send: (message) => this.send(message),
      drained: () => this.#outgoing.drained(),
      onFault: needs.onFault,
      ...(needs.around !== undefined && { around: needs.around }),
    })
  }

  opened(): void {
    this.#openedAt = Date.now()
    this.#heardAt = this.#openedAt
  }

  received(piece: Buffer): Promise<void> | undefined {
    this.#heardAt = Date.now()
    try {
      return this.#holding(this.#read(piece))
    } catch (error) {
      const isTheirs = error instanceof ProtocolError
      if (!isTheirs) this.#needs.onFault(error, 'read')
      this.close({
        error: isTheirs ? CLOSED : 'Connection closed with an error on the server.',
        allowReconnect: true,
      })
      return undefined
    }
  }

  mayResume(): boolean {
    return this.#replay !== null && this.#isOpen
  }

  lost(): void {
    this.#replay?.lose()
  }

  resumed(): void {
    if (this.#replay === null || this.#protocol === null) return
    this.#heardAt = Date.now()
    // Half a record that came over the old socket comes whole over the new one.
    this.#reader = this.#createReader(this.#protocol)
    this.#outgoing.resend()
  }

  ended(error: Error | undefined): void {
    this.#dispatcher.stop()
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#needs.onEnd(this)
    void this.#notify(() => this.#needs.definition.onDisconnected?.(this.#context, error))
  }

  tick(now: number): void {
    const { limits } = this.#needs
    if (this.#protocol === null) {
      if (now - this.#openedAt > limits.handshakeMs) this.#refuse('Handshake was canceled.')
      return
    }
    const isPolled = this.connection.transportName === 'LongPolling'
    const mayHear = this.#pings && !isPolled && this.#held === 0
    if (mayHear && now - this.#heardAt > limits.clientTimeoutMs) {
      this.close({ error: 'The client was silent for too long.', allowReconnect: true })
      return
    }
    if (!isPolled && now - this.#outgoing.sentAt >= limits.keepAliveMs) this.send({ type: PING })
    if (this.#replay !== null && now - this.#acknowledgedAt >= limits.ackMs) {
      this.#acknowledgedAt = now
      const sequenceId = this.#replay.dueAck()
      if (sequenceId !== null) this.send({ type: ACK, sequenceId })
    }
  }

  /** Sends the message, or stores it for a client that is coming back. */
  send(message: HubMessage): void {
    if (isCounted(message)) this.#needs.onMessage?.('out')
    this.#outgoing.send(message)
  }

  /** The same for a message that many get. */
  sendShared(message: SharedMessage): void {
    if (!this.#isOpen) return
    this.#needs.onMessage?.('out')
    this.#outgoing.sendShared(message)
  }

  /** Asks the client and resolves with its answer. */
  invoke(target: string, parameters: readonly unknown[]): Promise<unknown> {
    return this.#dispatcher.ask(target, parameters)
  }

  /** Takes no more calls; resolves when the one that runs has been answered. */
  finish(): Promise<void> {
    return this.#dispatcher.finish()
  }

  /** Says goodbye and ends. Such a connection can't be resumed. */
  close(goodbye: { error?: string; allowReconnect?: boolean } = {}): void {
    this.send({ type: CLOSE, ...goodbye })
    this.connection.end(goodbye.error === undefined ? undefined : new Error(goodbye.error))
  }

  #read(piece: Buffer): Promise<void> | undefined {
    let wait: Promise<void> | undefined
    for (const record of this.#reader.read(piece)) {
      if (this.connection.state === 'ended') return undefined
      if (this.#protocol === null) {
        this.#shake(record)
        if (this.#protocol === null) return undefined
        // What followed the handshake in the same piece is of the protocol's kind.
        const shaken: HubProtocol = this.#protocol
        if (shaken.binary) return this.#continueBinary(piece, shaken)
      } else {
        wait = this.#take(record) ?? wait
      }
    }
    return wait
  }

  #continueBinary(piece: Buffer, protocol: HubProtocol): Promise<void> | undefined {
    // The first separator ended the handshake; separators behind it are bytes like others.
    const end = piece.indexOf(0x1e) + 1
    this.#reader = this.#createReader(protocol)
    return this.#read(piece.subarray(end))
  }

  #createReader(protocol: HubProtocol): RecordReader {
    const { messageBytes } = this.#needs.limits
    return protocol.binary ? createBinaryReader(messageBytes) : createTextReader(messageBytes)
  }

  #shake(record: Buffer): void {
    const { connection } = this
    let shaken: ReturnType<typeof readHandshake>
    try {
      shaken = readHandshake(record, connection.transport?.carriesBytes === true)
    } catch {
      this.#refuse('The handshake could not be read.')
      return
    }
    if ('error' in shaken) {
      this.#refuse(shaken.error)
      return
    }
    connection.write(writeHandshake(), false)
    this.#protocol = shaken.protocol
    const mayReplay = connection.stateful && connection.transportName === 'WebSockets'
    if (mayReplay && shaken.version >= STATEFUL_VERSION) this.#replay = new Replay()
    this.#outgoing.start(shaken.protocol, this.#replay)
    this.#isOpen = true
    void this.#begin()
  }

  /** Methods run only when `onConnected` has. */
  async #begin(): Promise<void> {
    try {
      await this.#needs.onOpen(this)
      await this.#needs.definition.onConnected?.(this.#context)
      this.#dispatcher.start()
    } catch (error) {
      if (!(error instanceof HubError)) this.#needs.onFault(error, 'onConnected')
      this.close({ error: describeError(CLOSED, error, this.#needs.detailedErrors) })
    }
  }

  #refuse(error: string): void {
    this.connection.write(writeHandshake(error), false)
    this.connection.end(new Error(error))
  }

  #take(record: Buffer): Promise<void> | undefined {
    const message = this.#protocol?.parse(record) ?? null
    if (message === null) return undefined
    if (message.type === PING) {
      this.#pings = true
      return undefined
    }
    if (message.type === CLOSE) {
      this.connection.end(message.error === undefined ? undefined : new Error(message.error))
      return undefined
    }
    if (this.#replay === null) {
      if (message.type === ACK || message.type === SEQUENCE) return undefined
    } else {
      if (message.type === ACK) this.#replay.acknowledge(message.sequenceId)
      if (!this.#replay.takes(message) || message.type === ACK) return undefined
    }
    if (isCounted(message)) this.#needs.onMessage?.('in')
    return this.#dispatcher.dispatch(message, record.length)
  }

  /** What a client says meanwhile is not heard, so it is not silent. */
  #holding(wait: Promise<void> | undefined): Promise<void> | undefined {
    if (wait === undefined) return undefined
    this.#held += 1
    return wait.finally(() => {
      this.#held -= 1
      this.#heardAt = Date.now()
    })
  }

  async #notify(call: () => unknown): Promise<void> {
    try {
      await call()
    } catch (error) {
      this.#needs.onFault(error, 'onDisconnected')
    }
  }
}
