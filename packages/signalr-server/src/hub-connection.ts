/** The hub protocol on one connection: handshake, messages, pings and close. */
import { describeError } from './calls/call-errors.ts'
import { Dispatcher, type DispatcherRules } from './calls/dispatcher.ts'
import type { Application, Connection } from './connections/connection.ts'
import { ConnectionContext, type ContextNeeds } from './context.ts'
import { runConnect, runDisconnect, type HubFilter } from './filters.ts'
import { HubError, type HubDefinition } from './hub.ts'
import { Incoming, type Receiver } from './incoming.ts'
import type { InvokeOptions } from './hub-context.ts'
import { Outgoing } from './outgoing.ts'
import { readHandshake, writeHandshake } from './protocol/handshake.ts'
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
import { Replay } from './protocol/replay.ts'
import type { SharedMessage } from './protocol/shared-message.ts'
import { DroppedError } from './signals.ts'

const STATEFUL_VERSION = 2
/** The reason sent to clients whose connection ends with an error. */
export const CLOSED = 'Connection closed with an error.'

/** Shared by all connections of a hub. */
export interface HubConnectionNeeds extends DispatcherRules {
  readonly definition: HubDefinition
  readonly protocols: readonly HubProtocol[]
  readonly filters: readonly HubFilter[]
  readonly closeOnExpiry: boolean
  readonly contexts: ContextNeeds
  /** Makes the connection available to others. */
  readonly onOpen: (connection: HubConnection) => Promise<void>
  readonly onEnd: (connection: HubConnection) => void
}

export class HubConnection implements Application, Receiver {
  readonly connection: Connection
  readonly context: ConnectionContext
  readonly #needs: HubConnectionNeeds
  readonly #dispatcher: Dispatcher
  readonly #outgoing: Outgoing
  #groups: Set<string> | undefined
  #items: Map<unknown, unknown> | undefined
  readonly #incoming: Incoming
  #replay: Replay | null = null
  #isOpen = false
  #openedAt = 0
  #heardAt = 0
  #acknowledgedAt = 0
  /** Number of received pieces whose calls wait. Reading is paused meanwhile. */
  #held = 0
  /** The client sends pings, so that its silence indicates a lost connection. */
  #pings = false

  constructor(connection: Connection, needs: HubConnectionNeeds) {
    this.connection = connection
    this.#needs = needs
    this.#outgoing = new Outgoing(connection, needs.limits, needs.signals)
    this.#incoming = new Incoming(needs.limits)
    this.context = new ConnectionContext(this, needs.contexts)
    this.#dispatcher = new Dispatcher(needs, this)
  }

  get groups(): Set<string> {
    return (this.#groups ??= new Set())
  }

  groupNames(): readonly string[] {
    return [...(this.#groups ?? [])]
  }

  /** Storage for methods. */
  get items(): Map<unknown, unknown> {
    return (this.#items ??= new Map())
  }

  /** Number of queued calls. */
  get waitingCalls(): number {
    return this.#dispatcher.waiting
  }

  opened(): void {
    this.#openedAt = Date.now()
    this.#heardAt = this.#openedAt
  }

  received(piece: Buffer): Promise<void> | undefined {
    this.#heardAt = Date.now()
    try {
      return this.#holding(this.#incoming.read(piece, this))
    } catch (error) {
      const isTheirs = error instanceof ProtocolError
      if (!isTheirs) this.#needs.onFault(error, 'read')
      const words = isTheirs ? CLOSED : 'Connection closed with an error on the server.'
      const cause = isTheirs ? new DroppedError('protocol', error.message) : undefined
      this.close({ error: words, allowReconnect: true }, cause)
      return undefined
    }
  }

  mayResume(): boolean {
    return this.#replay !== null && this.#isOpen
  }

  lost(): void {
    this.#replay?.onDisconnect()
  }

  resumed(): void {
    if (this.#replay === null) return
    this.#heardAt = Date.now()
    this.#incoming.restart()
    this.#outgoing.resend()
  }

  ended(error: Error | undefined): void {
    this.#dispatcher.stop()
    this.#outgoing.relieved()
    if (!this.#isOpen) return
    this.#isOpen = false
    const { onEnd, onFault, signals } = this.#needs
    onEnd(this)
    signals.disconnected({
      ...this.#told(this.#incoming.protocol),
      seconds: (Date.now() - this.#openedAt) / 1000,
      error,
      dropped: error instanceof DroppedError ? error.reason : null,
    })
    runDisconnect(this.#needs, this.context, error).catch((fault: unknown) =>
      onFault(fault, 'onDisconnected'),
    )
  }

  relieved(): void {
    this.#outgoing.relieved()
  }

  tick(now: number): void {
    const { limits } = this.#needs
    if (this.#incoming.protocol === null) {
      if (now - this.#openedAt > limits.handshakeMs) this.#refuse('Handshake was canceled.')
      return
    }
    const isPolled = this.connection.transportName === 'LongPolling'
    const isSilent = this.#pings && !isPolled && now - this.#heardAt > limits.clientTimeoutMs
    if (this.#held === 0 && (isSilent || this.#incoming.isLate(now))) {
      const words = `The client ${isSilent ? 'was silent for too long' : 'did not end its message in time'}.`
      this.close({ error: words, allowReconnect: true }, new DroppedError('silent', words))
      return
    }
    const { expiresAt } = this.connection
    if (this.#needs.closeOnExpiry && expiresAt !== null && now >= expiresAt) {
      // The client reconnects immediately with a newer token.
      this.close({ allowReconnect: true })
      return
    }
    if (!isPolled && now - this.#outgoing.sentAt >= limits.keepAliveMs) this.send({ type: PING })
    if (this.#replay !== null && now - this.#acknowledgedAt >= limits.ackMs) {
      this.#acknowledgedAt = now
      const sequenceId = this.#replay.takeAck()
      if (sequenceId !== null) this.send({ type: ACK, sequenceId })
    }
  }

  /** Sends the message, or stores it for a client that may resume. */
  send(message: HubMessage): void {
    this.#outgoing.send(message)
  }

  /** Sends a message that many clients receive. */
  sendShared(message: SharedMessage): void {
    if (this.#isOpen) this.#outgoing.sendShared(message)
  }

  /** True if senders should wait before they send more. */
  get isFull(): boolean {
    return this.#outgoing.isFull
  }

  /** Resolves when the client has consumed enough output, or has disconnected. */
  drained(): Promise<void> {
    return this.#outgoing.drained()
  }

  /** Calls a method of the client and resolves with its result. */
  invoke(
    target: string,
    parameters: readonly unknown[],
    options?: InvokeOptions,
  ): Promise<unknown> {
    return this.#dispatcher.ask(target, parameters, options)
  }

  /** Accepts no more calls, and resolves when the running ones have completed. */
  finish(): Promise<void> {
    return this.#dispatcher.finish()
  }

  /** Sends a close message and ends the connection, which can't be resumed. */
  close(goodbye: { error?: string; allowReconnect?: boolean } = {}, cause?: Error): void {
    this.send({ type: CLOSE, ...goodbye })
    const { error } = goodbye
    this.connection.end(cause ?? (error === undefined ? undefined : new Error(error)))
  }

  get isOver(): boolean {
    return this.connection.state === 'ended'
  }

  /** Accepts or refuses the handshake. */
  shake(record: Buffer): HubProtocol | null {
    const { connection } = this
    let shaken: ReturnType<typeof readHandshake>
    try {
      const supportsBinary = connection.transport?.supportsBinary === true
      shaken = readHandshake(record, supportsBinary, this.#needs.protocols)
    } catch {
      this.#refuse('An unexpected error occurred during connection handshake.')
      return null
    }
    if ('error' in shaken) {
      this.#refuse(shaken.error)
      return null
    }
    connection.write(writeHandshake(), false)
    const { protocol, version } = shaken
    const mayReplay = connection.stateful && connection.transportName === 'WebSockets'
    if (mayReplay && version >= STATEFUL_VERSION) this.#replay = new Replay()
    this.#outgoing.start(protocol, this.#replay)
    this.#isOpen = true
    this.#needs.signals.connected(this.#told(protocol))
    void this.#begin()
    return protocol
  }

  /** Methods only run after `onConnected`. */
  async #begin(): Promise<void> {
    try {
      await this.#needs.onOpen(this)
      await runConnect(this.#needs, this.context)
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

  take(record: Buffer, protocol: HubProtocol): Promise<void> | undefined {
    const message = protocol.parse(record)
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
      if (message.type === ACK) {
        this.#replay.acknowledge(message.sequenceId)
        this.#outgoing.relieved()
      }
      if (!this.#replay.accept(message) || message.type === ACK) return undefined
    }
    if (isCounted(message)) this.#needs.signals.message('in', record.length)
    return this.#dispatcher.dispatch(message, record.length)
  }

  /** While reading is paused, a client doesn't count as silent. */
  #holding(wait: Promise<void> | undefined): Promise<void> | undefined {
    if (wait === undefined) return undefined
    this.#held += 1
    return wait.finally(() => {
      this.#held -= 1
      this.#heardAt = Date.now()
      this.#incoming.goOn(this.#heardAt)
    })
  }

  #told(protocol: HubProtocol | null) {
    const { connectionId, transport } = this.context
    return { connectionId, transport, protocol: protocol?.name ?? '' }
  }
}
