/** A hub on a node: its connections, its groups and users, and how requests reach it. */
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

/** `Server`: the methods that clients call; `Client`: the methods that they have. */
export interface HubServerOptions<
  Server = AnySide,
  Client = AnySide,
> extends ConnectionServerOptions {
  readonly definition: HubDefinition<Server, Client>
  /** Of this hub among those on one backplane: the same on all nodes, another for each hub. */
  readonly name?: string
  /** What clients may choose; JSON alone unless given. The first is the one that most of them speak. */
  readonly protocols?: readonly HubProtocol[]
  /** How messages travel between nodes, the same on all of them; as JSON unless given. */
  readonly betweenNodes?: OrderCodec
  /** Calls of one client that run at a time; 1 unless given: then they are answered in their order. */
  readonly parallel?: number
  /** Run around calls and around coming and going; the first is the outermost. */
  readonly filters?: readonly HubFilter<Client>[]
  /** A connection ends with the token that it shows (`HubUser.expiresAt`); its client comes back with a newer one. */
  readonly closeOnExpiry?: boolean
  /**
   * The event by which clients are notified that messages may have been lost between nodes, so that they ask for what they
   * missed. Its argument: within how many milliseconds, so that not all ask at once. Clients that don't know it ignore it.
   */
  readonly catchUpEvent?: string
  /** Hears of connections, messages and calls; to measure them, say. */
  readonly observer?: HubObserver
  /** Errors reach clients with their words. They may tell what nobody should know: for development alone. */
  readonly detailedErrors?: boolean
}

/** What waits at this moment on this node. */
export interface HubLoad {
  readonly connections: number
  /** Bytes that clients have not taken yet. */
  readonly waitingBytes: number
  /** Calls of clients that wait for their turn. */
  readonly waitingCalls: number
}

export interface HubServer<Client = AnySide> extends ConnectionServer {
  readonly clients: HubClients<Client>
  readonly groups: HubGroups
  /** Looks at every connection of this node: for a metric that is asked for now and then. */
  load(): HubLoad
  /** Ends all connections of a user, on every node, but for those that are spared. */
  closeUser(id: string, spared?: Spared): void
  /** Ends the connections of one session of a user, on every node. */
  closeSession(id: string, session: string): void
  /** Of the connections on this node. */
  sessions(): Set<string>
  /** Whose connections this node holds. */
  users(): Set<string>
  /** Ends the connections of these sessions on this node. */
  closeSessionsHere(sessions: ReadonlySet<string>): void
  /** Tells the clients of this node that they may have missed messages (`catchUpEvent`). */
  catchUpHere(): void
}

/** A connection that begins waits no longer for what connects the nodes. */
const HEARD_MS = 500
/** In which clients ask for what they missed, when all may have missed something. */
const CATCH_UP_MS = 1500
/** For the call that runs when its connection is sent elsewhere. */
const LAST_CALL_MS = 1000
const sessionOf = ({ connection }: HubConnection) => connection.user?.session

/**
 * Clients are sent elsewhere by `drain`: they come back at once, to whoever takes them. With type arguments methods,
 * their arguments and results are typed, and so is what clients are sent.
 */
export function createHubServer(options: HubServerOptions): HubServer
export function createHubServer<Server, Client = AnySide>(
  options: HubServerOptions<Server, Client>,
): HubServer<Client>
export function createHubServer(options: HubServerOptions): HubServer {
  return openHub(options)
}

/**
 * The hub without its types. The function is long because all that a server offers stands on the same connections and
 * groups; each of it is a short function of its own.
 */
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
    // It may have gone while the others were notified.
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
      const heard = Promise.all([
        members.enter(hub),
        ...channelsOf(hub).map((channel) => members.add(channel, hub)),
      ])
      if ((await Promise.race([heard, pause(HEARD_MS)])) === 'late')
        void heard.then(() => sayCatchUp(hub))
      // It may have gone while the other nodes were notified.
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
    // A call that got no answer would be made again.
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

/** What hears of faults must not add one. */
function shielded(onFault: ConnectionServerOptions['onFault']) {
  return (error: unknown, where: string) => {
    try {
      onFault?.(error, where)
    } catch {
      // There is nobody left to tell.
    }
  }
}

const pause = (ms: number) =>
  new Promise<'late'>((resolve) => {
    setTimeout(resolve, ms, 'late')
  })
