/** A hub on one node: its connections, groups and users, and the handling of requests. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createLocalBackplane } from './backplane/backplane.ts'
import { jsonCodec, type OrderCodec } from './backplane/orders.ts'
import { createClients, createGroups, groupOf, userOf } from './clients.ts'
import {
  createConnectionServer,
  createNodeName,
  type ConnectionServer,
  type ConnectionServerOptions,
} from './connections/connection-server.ts'
import type { Spared } from './ending.ts'
import { fanOut } from './fan-out.ts'
import { joinInvoke, type HubFilter } from './filters.ts'
import { createMethodTable, type HubDefinition } from './hub.ts'
import { HubConnection } from './hub-connection.ts'
import type { HubClients, HubGroups } from './hub-context.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { Members } from './members.ts'
import { jsonProtocol } from './protocol/json-protocol.ts'
import type { HubProtocol } from './protocol/messages.ts'
import { shareMessage } from './protocol/shared-message.ts'
import type { AnySide } from './signatures.ts'
import { Signals, type HubObserver } from './signals.ts'

/** `Server` are the methods that clients call; `Client` are the methods of clients. */
export interface HubServerOptions<
  Server = AnySide,
  Client = AnySide,
> extends ConnectionServerOptions {
  readonly definition: HubDefinition<Server, Client>
  /** Distinguishes hubs on one backplane. The same on all nodes. */
  readonly name?: string
  /** Protocols that clients may choose, the most common one first. Defaults to JSON only. */
  readonly protocols?: readonly HubProtocol[]
  /** Encoding of messages between nodes, the same on all of them. Defaults to JSON. */
  readonly betweenNodes?: OrderCodec
  /** Concurrent calls of one client. Defaults to 1, which preserves their order. */
  readonly parallel?: number
  /** Run around calls, connects and disconnects. The first is the outermost. */
  readonly filters?: readonly HubFilter<Client>[]
  /** Ends a connection when its token expires (`HubUser.expiresAt`). The client reconnects with a newer one. */
  readonly closeOnExpiry?: boolean
  /**
   * The event that notifies clients of possibly lost messages between nodes, so that they request what they
   * missed. Its argument is a time in ms over which they should spread these requests. Clients that don't know the
   * event ignore it.
   */
  readonly catchUpEvent?: string
  /** Observes connections, messages and calls, for example to measure them. */
  readonly observer?: HubObserver
  /** Sends the messages of all errors to clients. They may contain secrets, so use this only in development. */
  readonly detailedErrors?: boolean
}

/** Current queues on this node. */
export interface HubLoad {
  readonly connections: number
  /** Bytes that clients have not consumed yet. */
  readonly waitingBytes: number
  /** Queued calls of clients. */
  readonly waitingCalls: number
}

export interface HubServer<Client = AnySide> extends ConnectionServer {
  readonly clients: HubClients<Client>
  readonly groups: HubGroups
  /** Iterates over all connections of this node, which is fine for a metric that is scraped occasionally. */
  load(): HubLoad
  /** Ends all connections of a user on every node, except the spared ones. */
  closeUser(id: string, spared?: Spared): void
  /** Ends the connections of one session of a user on every node. */
  closeSession(id: string, session: string): void
  /** Sessions with a connection on this node. */
  sessions(): Set<string>
  /** Users with a connection on this node. */
  users(): Set<string>
  /** Ends the connections of these sessions on this node. */
  closeSessionsHere(sessions: ReadonlySet<string>): void
  /** Notifies the clients of this node that they may have missed messages (`catchUpEvent`). */
  catchUpHere(): void
}

/** Longest time in ms that a new connection waits for the backplane. */
const SUBSCRIBED_MS = 500
/** Time in ms over which clients spread their requests when all may have missed messages. */
const CATCH_UP_MS = 1500
/** Timeout in ms for calls that run when their connection is drained. */
const LAST_CALL_MS = 1000
const sessionOf = ({ connection }: HubConnection) => connection.user?.session

/**
 * `drain` makes clients reconnect elsewhere. Type arguments check methods, their arguments and results, and what
 * is sent to clients.
 */
export function createHubServer(options: HubServerOptions): HubServer
export function createHubServer<Server, Client = AnySide>(
  options: HubServerOptions<Server, Client>,
): HubServer<Client>
export function createHubServer(options: HubServerOptions): HubServer {
  return openHub(options)
}

/** The untyped hub. */
function openHub(options: HubServerOptions): HubServer {
  const backplane = options.backplane ?? createLocalBackplane(createNodeName())
  const onFault = shielded(options.onFault)
  const { definition, parallel = 1, filters = [], protocols = [jsonProtocol] } = options
  if (!Number.isInteger(parallel) || parallel < 1)
    throw new TypeError('parallel must be a whole number from 1.')
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const join = async (hub: HubConnection, group: string) => {
    hub.groups.add(group)
    await members.add(groupOf(group), hub)
    // It may have disconnected while the others were notified.
    if (hub.connection.state === 'ended') members.remove(groupOf(group), hub)
  }
  const leaveGroup = (hub: HubConnection, group: string) => {
    hub.groups.delete(group)
    members.remove(groupOf(group), hub)
  }
  const members: Members = new Members({
    backplane,
    prefix: options.name === undefined ? '' : `${options.name}/`,
    codec: options.betweenNodes ?? jsonCodec,
    protocols,
    limits,
    onFault,
    group: async (hub, kind, group) => {
      if (kind === 'join') await join(hub, group)
      else leaveGroup(hub, group)
    },
  })
  const clients = createClients(members)
  const channelsOf = (hub: HubConnection) => [
    ...(hub.connection.user === null ? [] : [userOf(hub.connection.user.id)]),
    ...hub.groupNames().map(groupOf),
  ]
  const leaveAll = (hub: HubConnection) => {
    members.exit(hub)
    for (const channel of channelsOf(hub)) members.remove(channel, hub)
  }
  const { catchUpEvent } = options
  const sayCatchUp = (hub: HubConnection) => {
    if (catchUpEvent !== undefined) hub.send({ type: 1, target: catchUpEvent, arguments: [0] })
  }
  const catchUpHere = () => {
    if (catchUpEvent === undefined) return
    const message = shareMessage(catchUpEvent, [CATCH_UP_MS])
    fanOut(members.everybody(), message, { isSentElsewhere: true, onFault })
  }
  backplane.onBack(() => {
    if (catchUpEvent !== undefined) void members.sendToAll(catchUpEvent, [CATCH_UP_MS])
  })
  const needs = {
    definition,
    methods: createMethodTable(definition),
    protocols,
    limits,
    parallel,
    filters,
    filter: joinInvoke(filters),
    authorize: definition.authorize,
    closeOnExpiry: options.closeOnExpiry ?? false,
    detailedErrors: options.detailedErrors ?? false,
    contexts: { clients, join, leave: leaveGroup },
    signals: new Signals(options.observer, onFault),
    onOpen: async (hub: HubConnection) => {
      const subscribed = Promise.all([
        members.enter(hub),
        ...channelsOf(hub).map((channel) => members.add(channel, hub)),
      ])
      if ((await Promise.race([subscribed, pause(SUBSCRIBED_MS)])) === 'late')
        void subscribed.then(() => sayCatchUp(hub))
      // It may have disconnected while the other nodes were notified.
      if (hub.connection.state === 'ended') leaveAll(hub)
    },
    onEnd: leaveAll,
    onFault,
  }
  const server = createConnectionServer(
    { ...options, backplane, onFault },
    (connection) => new HubConnection(connection, needs),
  )
  const leave = async (hub: HubConnection) => {
    // A client would repeat a call without a response.
    await Promise.race([hub.finish(), sleep(LAST_CALL_MS, null, { ref: false })])
    if (hub.connection.state !== 'ended') hub.close({ allowReconnect: true })
  }
  const sayGoodbye = () => Promise.all([...members.everybody()].map(leave))
  return {
    ...server,
    clients,
    groups: createGroups(members),
    load: () => loadOf(members.everybody(), server.size()),
    closeUser: (id, spared) => members.close(userOf(id), spared),
    closeSession: (id, session) => members.closeSession(userOf(id), session),
    sessions: () => new Set([...members.everybody()].flatMap((hub) => sessionOf(hub) ?? [])),
    users: () => new Set([...members.everybody()].flatMap((hub) => hub.connection.user?.id ?? [])),
    closeSessionsHere: (sessions) => {
      for (const hub of members.everybody()) if (sessions.has(sessionOf(hub) ?? '')) hub.close()
    },
    catchUpHere,
    drain: async (mostMs) => {
      server.refuse()
      await sayGoodbye()
      await server.drain(mostMs)
    },
    close: async (mostMs) => {
      server.refuse()
      await sayGoodbye()
      await server.close(mostMs)
    },
  }
}

function loadOf(everybody: Iterable<HubConnection>, connections: number): HubLoad {
  let waitingBytes = 0
  let waitingCalls = 0
  for (const hub of everybody) {
    waitingBytes += hub.connection.waiting()
    waitingCalls += hub.waitingCalls
  }
  return { connections, waitingBytes, waitingCalls }
}

/** An error in the error handler must not cause another one. */
function shielded(onFault: ConnectionServerOptions['onFault']) {
  return (error: unknown, where: string) => {
    try {
      onFault?.(error, where)
    } catch {
      // There are no clients left to notify.
    }
  }
}

const pause = (ms: number) =>
  new Promise<'late'>((resolve) => {
    setTimeout(resolve, ms, 'late')
  })
