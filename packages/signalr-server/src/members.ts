/** Who belongs to which group or user on this node, and what goes to them, from here or from other nodes. */
import { createDeferred, type Deferred } from './deferred.ts'
import { decode, encode } from '@msgpack/msgpack'
import type { Backplane } from './backplane/backplane.ts'
import type { HubUser } from './connections/connection.ts'
import { HubError } from './hub.ts'
import type { HubConnection } from './hub-connection.ts'
import type { Limits } from './limits.ts'
import { refuseLarge } from './outgoing.ts'
import { shareMessage } from './protocol/shared-message.ts'

/** What travels between nodes. */
type Order =
  | {
      readonly kind: 'send'
      readonly method: string
      readonly parameters: unknown[]
      /** The one connection that gets it; absent: all. */
      readonly only?: string
      /** The one connection that does not get it. */
      readonly except?: string | undefined
    }
  | {
      readonly kind: 'close'
      readonly exceptSession: string | null
      /** Those that are no sign-in of a person stay. */
      readonly exceptLasting?: boolean
      /** The one session whose connections end; absent: all but those of `exceptSession`. */
      readonly onlySession?: string
    }
  | {
      readonly kind: 'ask'
      readonly connectionId: string
      readonly method: string
      readonly parameters: unknown[]
      /** The node that waits, and under which number. */
      readonly node: string
      readonly number: number
    }

/** What comes back for an `ask`. */
interface Reply {
  readonly number: number
  readonly result?: unknown
  readonly error?: string
}

/** Which connections of a user stay when the others are ended. */
export interface Spared {
  /** The one session that stays. */
  readonly exceptSession?: string | null
  /** Those of `HubUser.lasting` stay. */
  readonly exceptLasting?: boolean
}

function isEnded(order: Order & { kind: 'close' }, user: HubUser | null): boolean {
  const { exceptSession, exceptLasting = false, onlySession } = order
  if (onlySession !== undefined) return user?.session === onlySession
  if (exceptLasting && user?.lasting === true) return false
  return exceptSession === null || user?.session !== exceptSession
}

const EVERYBODY = 'all'
const nodeOf = (node: string) => `node:${node}`

export class Members {
  readonly #backplane: Backplane
  readonly #channels = new Map<string, { members: Set<HubConnection>; heard: Promise<void> }>()

  readonly #byId = new Map<string, HubConnection>()
  readonly #asked = new Map<number, Deferred<unknown>>()
  #askedCount = 0
  #listening: Promise<void> | undefined

  readonly #limits: Pick<Limits, 'sentBytes'>
  readonly #onFault: (error: unknown, where: string) => void

  constructor(
    backplane: Backplane,
    limits: Pick<Limits, 'sentBytes'>,
    onFault: (error: unknown, where: string) => void,
  ) {
    this.#backplane = backplane
    this.#limits = limits
    this.#onFault = onFault
  }

  /** Makes it known to everybody. Resolves when also what other nodes send arrives. */
  enter(connection: HubConnection): Promise<void> {
    this.#byId.set(connection.connection.id, connection)
    return this.add(EVERYBODY, connection)
  }

  exit(connection: HubConnection): void {
    this.#byId.delete(connection.connection.id)
    this.remove(EVERYBODY, connection)
  }

  /** All connections here. */
  everybody(): ReadonlySet<HubConnection> {
    return this.of(EVERYBODY)
  }

  sendToAll(method: string, parameters: unknown[]): void {
    this.send(EVERYBODY, method, parameters)
  }

  /** To one connection, wherever it is. */
  sendTo(connectionId: string, method: string, parameters: unknown[]): void {
    const here = this.#byId.get(connectionId)
    if (here !== undefined) here.sendShared(shareMessage(method, parameters))
    else this.#publish(EVERYBODY, { kind: 'send', method, parameters, only: connectionId })
  }

  /** Asks one connection, wherever it is. @throws HubError when it refuses, or none answers within `waitMs` */
  async ask(
    connectionId: string,
    method: string,
    parameters: unknown[],
    waitMs: number,
  ): Promise<unknown> {
    const here = this.#byId.get(connectionId)
    if (here !== undefined) return here.invoke(method, parameters)
    const { node } = this.#backplane
    this.#listening ??= this.#backplane.subscribe(nodeOf(node), (bytes) => this.#hear(bytes))
    await this.#listening
    this.#askedCount += 1
    const number = this.#askedCount
    const asked = createDeferred<unknown>()
    this.#asked.set(number, asked)
    const timer = setTimeout(
      () => asked.reject(new HubError('The connection is not there.')),
      waitMs,
    )
    this.#publish(EVERYBODY, { kind: 'ask', connectionId, method, parameters, node, number })
    try {
      return await asked.promise
    } finally {
      clearTimeout(timer)
      this.#asked.delete(number)
    }
  }

  /** Resolves when also what other nodes send arrives. */
  add(channel: string, connection: HubConnection): Promise<void> {
    const known = this.#channels.get(channel)
    if (known !== undefined) {
      known.members.add(connection)
      return known.heard
    }
    const heard = this.#backplane.subscribe(channel, (bytes) => {
      try {
        // Written by `#order` of another node.
        this.#obey(channel, decode(bytes) as Order)
      } catch (error) {
        this.#onFault(error, 'backplane')
      }
    })
    this.#channels.set(channel, { members: new Set([connection]), heard })
    return heard
  }

  remove(channel: string, connection: HubConnection): void {
    const known = this.#channels.get(channel)
    if (known?.members.delete(connection) !== true || known.members.size > 0) return
    this.#channels.delete(channel)
    this.#backplane.unsubscribe(channel)
  }

  /** To all of a channel, on every node. */
  send(channel: string, method: string, parameters: unknown[], except?: string): void {
    this.#order(channel, { kind: 'send', method, parameters, except })
  }

  /** To those of a channel on this node. */
  sendHere(channel: string, method: string, parameters: unknown[]): void {
    this.#obey(channel, { kind: 'send', method, parameters })
  }

  /** Ends the connections of a channel, on every node, but for those that are spared. */
  close(channel: string, { exceptSession = null, exceptLasting = false }: Spared = {}): void {
    this.#order(channel, { kind: 'close', exceptSession, exceptLasting })
  }

  /** Ends those of one session in a channel, on every node. */
  closeSession(channel: string, onlySession: string): void {
    this.#order(channel, { kind: 'close', exceptSession: null, onlySession })
  }

  /** Connections here. */
  of(channel: string): ReadonlySet<HubConnection> {
    return this.#channels.get(channel)?.members ?? new Set()
  }

  #order(channel: string, order: Order): void {
    const bytes = this.#encode(order)
    this.#obey(channel, order)
    this.#backplane.publish(channel, bytes)
  }

  #publish(channel: string, order: Order): void {
    this.#backplane.publish(channel, this.#encode(order))
  }

  /** @throws HubError for a message that no client would be sent */
  #encode(order: Order): Uint8Array {
    const bytes = encode(order, { ignoreUndefined: true })
    refuseLarge(bytes, this.#limits)
    return bytes
  }

  #obey(channel: string, order: Order): void {
    if (order.kind === 'ask') {
      void this.#answer(order)
      return
    }
    const members = this.of(channel)
    if (members.size === 0) return
    if (order.kind === 'close') {
      for (const member of members) if (isEnded(order, member.connection.user)) member.close()
      return
    }
    const message = shareMessage(order.method, order.parameters)
    if (order.only !== undefined) this.#byId.get(order.only)?.sendShared(message)
    else
      for (const member of members)
        if (member.connection.id !== order.except) member.sendShared(message)
  }

  /** Only the node that holds the connection answers. */
  async #answer(order: Order & { kind: 'ask' }): Promise<void> {
    const member = this.#byId.get(order.connectionId)
    if (member === undefined) return
    const reply: Reply = await member.invoke(order.method, order.parameters).then(
      (result) => ({ number: order.number, result }),
      (error: unknown) => ({
        number: order.number,
        error: error instanceof Error ? error.message : 'failed',
      }),
    )
    this.#backplane.publish(nodeOf(order.node), encode(reply, { ignoreUndefined: true }))
  }

  #hear(bytes: Uint8Array): void {
    // Written by `#answer` of another node.
    const { number, result, error } = decode(bytes) as Reply
    const asked = this.#asked.get(number)
    if (error === undefined) asked?.resolve(result)
    else asked?.reject(new HubError(error))
  }
}
