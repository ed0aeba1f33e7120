/** Members of groups and users on this node, and delivery to them from this and other nodes. */
import type { Backplane } from './backplane/backplane.ts'
import { NodeQuestions } from './backplane/node-questions.ts'
import type { Order, OrderCodec } from './backplane/orders.ts'
import { isEnded, type Spared } from './ending.ts'
import { fanOut } from './fan-out.ts'
import type { HubConnection } from './hub-connection.ts'
import type { InvokeOptions } from './hub-context.ts'
import type { Limits } from './limits.ts'
import { refuseLarge } from './outgoing.ts'
import type { HubProtocol } from './protocol/messages.ts'
import { shareMessage, type SharedMessage } from './protocol/shared-message.ts'

export interface MembersNeeds {
  readonly backplane: Backplane
  /** Prefix of all channel names, which separates hubs on one backplane. */
  readonly prefix: string
  readonly codec: OrderCodec
  readonly protocols: readonly HubProtocol[]
  readonly limits: Limits
  readonly onFault: (error: unknown, where: string) => void
  /** Adds a connection on this node to a group, or removes it. */
  readonly group: (
    connection: HubConnection,
    kind: 'join' | 'leave',
    group: string,
  ) => Promise<void>
}

const EVERYBODY = 'all'
const READY: PromiseLike<void> = Promise.resolve()

export class Members {
  readonly #needs: MembersNeeds
  readonly #channels = new Map<string, { members: Set<HubConnection>; heard: Promise<void> }>()
  readonly #byId = new Map<string, HubConnection>()
  readonly #questions: NodeQuestions

  constructor(needs: MembersNeeds) {
    this.#needs = needs
    this.#questions = new NodeQuestions(needs, (channel, listener) =>
      this.#subscribe(channel, listener),
    )
  }

  /** Registers the connection. Resolves when messages from other nodes arrive too. */
  enter(connection: HubConnection): Promise<void> {
    this.#byId.set(connection.connection.id, connection)
    return this.add(EVERYBODY, connection)
  }

  exit(connection: HubConnection): void {
    this.#byId.delete(connection.connection.id)
    this.remove(EVERYBODY, connection)
  }

  everybody(): ReadonlySet<HubConnection> {
    return this.of(EVERYBODY)
  }

  /** Resolves when messages from other nodes arrive. */
  add(channel: string, connection: HubConnection): Promise<void> {
    const known = this.#channels.get(channel)
    if (known !== undefined) {
      known.members.add(connection)
      return known.heard
    }
    const subscribed = this.#subscribe(channel, (bytes) => {
      // Written by `#order` of another node.
      this.#obey(channel, this.#needs.codec.decode(bytes) as Order)
    })
    this.#channels.set(channel, { members: new Set([connection]), heard: subscribed })
    return subscribed
  }

  remove(channel: string, connection: HubConnection): void {
    const known = this.#channels.get(channel)
    if (known?.members.delete(connection) !== true || known.members.size > 0) return
    this.#channels.delete(channel)
    this.#needs.backplane.unsubscribe(this.#needs.prefix + channel)
  }

  of(channel: string): ReadonlySet<HubConnection> {
    return this.#channels.get(channel)?.members ?? NOBODY
  }

  /** Resolves when the clients of this node have consumed enough output to send more. */
  send(
    channel: string,
    method: string,
    parameters: readonly unknown[],
    except?: string | readonly string[],
  ): PromiseLike<void> {
    return this.#order(channel, { kind: 'send', method, parameters, except })
  }

  sendToAll(
    method: string,
    parameters: readonly unknown[],
    except?: readonly string[],
  ): PromiseLike<void> {
    return this.send(EVERYBODY, method, parameters, except)
  }

  /** Sends to all connections of several channels, once each. */
  sendToSeveral(
    channels: readonly string[],
    method: string,
    parameters: readonly unknown[],
  ): PromiseLike<void> {
    if (channels.length === 0) return READY
    return this.#order(EVERYBODY, { kind: 'send', method, parameters, channels })
  }

  sendTo(
    connectionIds: readonly string[],
    method: string,
    parameters: readonly unknown[],
  ): PromiseLike<void> {
    const wanted = [...new Set(connectionIds)]
    const message = shareMessage(method, parameters)
    const here = wanted.flatMap((id) => this.#byId.get(id) ?? [])
    const elsewhere = wanted.filter((id) => !this.#byId.has(id))
    const [first] = elsewhere
    const only = elsewhere.length === 1 ? first : elsewhere
    if (only !== undefined && elsewhere.length > 0)
      this.#publish(EVERYBODY, { kind: 'send', method, parameters, only })
    if (here.length === 0) this.#refuseLarge(message)
    this.#fanOut(here, message, elsewhere.length > 0)
    return drainedOf(here)
  }

  sendHere(channel: string, method: string, parameters: readonly unknown[]): PromiseLike<void> {
    return this.#obey(channel, { kind: 'send', method, parameters })
  }

  /** Ends a channel's connections on every node, except the spared ones. */
  close(channel: string, { exceptSession = null, exceptLasting = false }: Spared = {}): void {
    this.#order(channel, { kind: 'close', exceptSession, exceptLasting })
  }

  closeSession(channel: string, onlySession: string): void {
    this.#order(channel, { kind: 'close', exceptSession: null, onlySession })
  }

  /** Calls a method of one connection on any node. @throws HubError when it refuses, or none responds in time */
  ask(
    connectionId: string,
    method: string,
    parameters: readonly unknown[],
    options: InvokeOptions,
  ): Promise<unknown> {
    const limits = { timeoutMs: this.#needs.limits.answerMs, ...options }
    const here = this.#byId.get(connectionId)
    if (here !== undefined) return here.invoke(method, parameters, limits)
    const waitMs = limits.timeoutMs
    return this.#questions.ask((node, number) => {
      const order = { kind: 'ask', connectionId, method, parameters, waitMs, node, number } as const
      this.#publish(EVERYBODY, order)
    }, limits)
  }

  /** Adds a connection on any node to a group, or removes it. @throws HubError when no node responds in time */
  async group(kind: 'join' | 'leave', connectionId: string, group: string): Promise<boolean> {
    const here = this.#byId.get(connectionId)
    if (here !== undefined) {
      await this.#needs.group(here, kind, group)
      return true
    }
    if (this.#needs.backplane.address === null) return false
    await this.#questions.ask(
      (node, number) => this.#publish(EVERYBODY, { kind, connectionId, group, node, number }),
      { timeoutMs: this.#needs.limits.answerMs },
    )
    return true
  }

  #subscribe(channel: string, listener: (bytes: Uint8Array) => void): Promise<void> {
    const { backplane, prefix, onFault } = this.#needs
    return backplane.subscribe(prefix + channel, (bytes) => {
      try {
        listener(bytes)
      } catch (error) {
        onFault(error, 'backplane')
      }
    })
  }

  #order(channel: string, order: Order): PromiseLike<void> {
    const { backplane, prefix } = this.#needs
    if (backplane.address === null) return this.#obey(channel, order)
    const bytes = this.#encode(order)
    const sent = this.#obey(channel, order)
    backplane.publish(prefix + channel, bytes)
    return sent
  }

  #publish(channel: string, order: Order): void {
    if (this.#needs.backplane.address === null) return
    this.#needs.backplane.publish(this.#needs.prefix + channel, this.#encode(order))
  }

  /** @throws HubError for a message that is too large, even if there are no recipients */
  #refuseLarge(message: SharedMessage): void {
    const { backplane, protocols, limits } = this.#needs
    const [first] = protocols
    // With other nodes the message is encoded for them anyway.
    if (backplane.address !== null || first === undefined) return
    refuseLarge(message.frameFor(first), limits)
  }

  /** @throws HubError for a message that no node would accept */
  #encode(order: Order): Uint8Array {
    const bytes = this.#needs.codec.encode(order)
    refuseLarge(bytes, this.#needs.limits)
    return bytes
  }

  #obey(channel: string, order: Order): PromiseLike<void> {
    switch (order.kind) {
      case 'ask':
      case 'join':
      case 'leave':
        void this.#answer(order)
        return READY
      case 'close':
        for (const member of this.of(channel))
          if (isEnded(order, member.connection.user)) member.close()
        return READY
      case 'send':
        return this.#deliver(channel, order)
    }
  }

  #deliver(channel: string, order: Order & { kind: 'send' }): PromiseLike<void> {
    const { method, parameters, only, channels, except } = order
    const message = shareMessage(method, parameters)
    if (only !== undefined) {
      const ids = typeof only === 'string' ? [only] : only
      this.#fanOut(
        ids.flatMap((id) => this.#byId.get(id) ?? []),
        message,
      )
      return READY
    }
    const members =
      channels === undefined
        ? this.of(channel)
        : new Set(channels.flatMap((name) => [...this.of(name)]))
    if (members.size === 0) this.#refuseLarge(message)
    const spared = typeof except === 'string' ? [except] : (except ?? [])
    this.#fanOut(
      spared.length === 0
        ? members
        : [...members].filter(({ connection }) => !spared.includes(connection.id)),
      message,
    )
    return drainedOf(members)
  }

  /** With other nodes, recipients there may get the message even if those on this node can't. */
  #fanOut(
    members: Iterable<HubConnection>,
    message: SharedMessage,
    isSentElsewhere = this.#needs.backplane.address !== null,
  ): void {
    fanOut(members, message, { isSentElsewhere, onFault: this.#needs.onFault })
  }

  /** Only the node that holds the connection responds. */
  async #answer(order: Order & { kind: 'ask' | 'join' | 'leave' }): Promise<void> {
    const member = this.#byId.get(order.connectionId)
    if (member === undefined) return
    const timeoutMs = this.#needs.limits.answerMs
    const done =
      order.kind === 'ask'
        ? member.invoke(order.method, order.parameters, { timeoutMs: order.waitMs ?? timeoutMs })
        : this.#needs.group(member, order.kind, order.group)
    try {
      await this.#questions.answer(order, done)
    } catch (error) {
      this.#needs.onFault(error, 'backplane')
    }
  }
}

const NOBODY: ReadonlySet<HubConnection> = new Set()

/** Only waits for connections with too much queued output. */
function drainedOf(members: Iterable<HubConnection>): PromiseLike<void> {
  let waits: Promise<void>[] | undefined
  for (const member of members) if (member.isFull) (waits ??= []).push(member.drained())
  return waits === undefined ? READY : Promise.all(waits).then(() => {})
}
