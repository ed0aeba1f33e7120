/** A hub on a node: its connections, its groups and users, and how requests reach it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createLocalBackplane } from './backplane/backplane.ts'
import {
  createConnectionServer,
  createNodeName,
  type ConnectionServer,
  type ConnectionServerOptions,
} from './connections/connection-server.ts'
import {
  createMethodTable,
  type Caller,
  type HubContext,
  type HubDefinition,
  type Target,
} from './hub.ts'
import { HubConnection } from './hub-connection.ts'
import type { Around } from './dispatcher.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { Members, type Spared } from './members.ts'
import { shareMessage } from './protocol/shared-message.ts'

export interface HubServerOptions extends ConnectionServerOptions {
  readonly definition: HubDefinition
  /**
   * The event by which clients are notified that messages may have been lost between nodes, so that they ask for what they
   * missed. Its argument: within how many milliseconds, so that not all ask at once. Clients that don't know it ignore it.
   */
  readonly catchUpEvent?: string
  /** Called for each message that a connection here sends or takes, pings and the like left out. */
  readonly onMessage?: (direction: 'in' | 'out') => void
  /** Runs each method that is called, streams left out; to measure it, say. */
  readonly around?: Around
  /** Errors reach clients with their words. Only for tests. */
  readonly detailedErrors?: boolean
}

/** What the server says to clients, from anywhere. */
export interface HubClients {
  all(): Target
  group(name: string): Target
  /** On all their connections, perhaps but one. */
  user(id: string, exceptConnection?: string): Target
  /** On those of their connections that this node holds: for what every node hears of by other ways. */
  userHere(id: string): Target
  /** One connection, on whichever node. */
  client(connectionId: string): Caller
}

export interface HubServer extends ConnectionServer {
  readonly clients: HubClients
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

/** For the answer of a client that another node may hold. */
const ANSWER_MS = 30_000
/** A connection that begins waits no longer for what connects the nodes. */
const HEARD_MS = 500
/** In which clients ask for what they missed, when all may have missed something. */
const CATCH_UP_MS = 1500
/** For the call that runs when its connection is sent elsewhere. */
const LAST_CALL_MS = 1000
const groupOf = (name: string) => `group:${name}`
const userOf = (id: string) => `user:${id}`
const sessionOf = ({ connection }: HubConnection) => connection.user?.session

/**
 * Clients are sent elsewhere by `drain`: they come back at once, to whoever takes them. The function is long because all
 * that a server offers stands on the same connections and groups; each of it is a short function of its own.
 */
export function createHubServer(options: HubServerOptions): HubServer {
  const backplane = options.backplane ?? createLocalBackplane(createNodeName())
  const onFault = options.onFault ?? (() => {})
  const methods = createMethodTable(options.definition)
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const members = new Members(backplane, limits, onFault)

  const targetOf = (channel: string, exceptConnection?: string): Target => ({
    send: (method, ...parameters) => members.send(channel, method, parameters, exceptConnection),
  })
  const channelsOf = ({ connection, groups }: HubConnection) => [
    ...(connection.user === null ? [] : [userOf(connection.user.id)]),
    ...[...groups].map(groupOf),
  ]
  const leaveAll = (hub: HubConnection) => {
    members.exit(hub)
    for (const channel of channelsOf(hub)) members.remove(channel, hub)
  }
  const { catchUpEvent } = options
  const sayCatchUp = (hub: HubConnection) => {
    if (catchUpEvent !== undefined) hub.send({ type: 1, target: catchUpEvent, arguments: [0] })
  }
  backplane.onBack(() => {
    if (catchUpEvent !== undefined) members.sendToAll(catchUpEvent, [CATCH_UP_MS])
  })
  const createContext = (hub: HubConnection): HubContext => {
    const { connection } = hub
    const caller: Caller = {
      send: (target, ...parameters) => hub.send({ type: 1, target, arguments: parameters }),
      invoke: (target, ...parameters) => hub.invoke(target, parameters),
    }
    return {
      connectionId: connection.id,
      user: connection.user,
      get transport() {
        return connection.transportName ?? 'WebSockets'
      },
      get request() {
        return connection.request
      },
      caller,
      signal: connection.ended,
      join: async (group) => {
        hub.groups.add(group)
        await members.add(groupOf(group), hub)
        // It may have gone while the others were notified.
        if (connection.state === 'ended') members.remove(groupOf(group), hub)
      },
      leave: (group) => {
        hub.groups.delete(group)
        members.remove(groupOf(group), hub)
        return Promise.resolve()
      },
      abort: () => hub.close(),
    }
  }
  const server = createConnectionServer(
    { ...options, backplane },
    (connection) =>
      new HubConnection(connection, {
        definition: options.definition,
        methods,
        limits,
        detailedErrors: options.detailedErrors ?? false,
        createContext,
        onOpen: async (hub) => {
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
        ...(options.onMessage !== undefined && { onMessage: options.onMessage }),
        ...(options.around !== undefined && { around: options.around }),
      }),
  )
  const leave = async (hub: HubConnection) => {
    // A call that got no answer would be made again.
    await Promise.race([hub.finish(), sleep(LAST_CALL_MS, null, { ref: false })])
    if (hub.connection.state !== 'ended') hub.close({ allowReconnect: true })
  }
  const sayGoodbye = () => Promise.all([...members.everybody()].map(leave))
  return {
    ...server,
    clients: {
      all: () => ({ send: (method, ...parameters) => members.sendToAll(method, parameters) }),
      group: (name) => targetOf(groupOf(name)),
      user: (id, exceptConnection) => targetOf(userOf(id), exceptConnection),
      userHere: (id) => ({
        send: (method, ...parameters) => members.sendHere(userOf(id), method, parameters),
      }),
      client: (id) => ({
        send: (method, ...parameters) => members.sendTo(id, method, parameters),
        invoke: (method, ...parameters) => members.ask(id, method, parameters, ANSWER_MS),
      }),
    },
    closeUser: (id, spared) => members.close(userOf(id), spared),
    closeSession: (id, session) => members.closeSession(userOf(id), session),
    sessions: () => new Set([...members.everybody()].flatMap((hub) => sessionOf(hub) ?? [])),
    users: () => new Set([...members.everybody()].flatMap((hub) => hub.connection.user?.id ?? [])),
    closeSessionsHere: (sessions) => {
      for (const hub of members.everybody()) if (sessions.has(sessionOf(hub) ?? '')) hub.close()
    },
    catchUpHere: () => {
      if (catchUpEvent === undefined) return
      const message = shareMessage(catchUpEvent, [CATCH_UP_MS])
      for (const hub of members.everybody()) hub.sendShared(message)
    },
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

const pause = (ms: number) =>
  new Promise<'late'>((resolve) => {
    setTimeout(resolve, ms, 'late')
  })
