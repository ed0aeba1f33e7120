/** Runs the chat's hub in this process: its connections, the changes it follows, and how requests reach it. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { deriveKey } from '#server/people/accounts/sessions/tokens.ts'
import { createAdmission } from '#server/community/chat/admission.ts'
import { createCallTurns } from '#server/community/chat/call-turns.ts'
import { createChatHub, createDeliver } from '#server/community/chat/hub.ts'
import { createHubDoor, findLiveCallers } from '#server/community/chat/door.ts'
import { createLateDelivery, type LateDelivery } from '#server/community/chat/late-delivery.ts'
import { watchSessions } from '#server/community/chat/session-watch.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import type { NodesLink } from '#server/platform/nodes/redis.ts'
import { createHubServer, jsonProtocol, subpathOf, type HubServer } from '#signalr'
import { messagePackCodec, messagePackProtocol } from '#signalr/messagepack'
import { createRedisBackplane } from '#signalr/redis'

export interface Chat {
  readonly hub: Pick<HubServer, 'drain' | 'size' | 'users' | 'clients'>
  /** Routes that `answer` serves, such as `POST /chatHub/negotiate`. */
  readonly addresses: readonly string[]
  /** Returns true when the request was the hub's. */
  answer(request: IncomingMessage, response: ServerResponse): boolean
  /** Returns true for a WebSocket upgrade at the hub's path. */
  takesUpgrade(request: IncomingMessage): boolean
  /** Takes the upgrades of a server for which `takesUpgrade` is true. */
  takeUpgrades(server: Server): void
  /** Delivers waiting messages, then closes everything. `hub.drain` has already sent clients to other nodes. */
  close(): Promise<void>
}

interface Callers {
  readonly viewerOfBearer: (token: string, late: boolean) => Promise<Viewer | null>
  /** Counts the hub's messages. */
  readonly hubMessages: { inc(direction: 'in' | 'out'): void }
  /** Runs each method of the hub, in a span if tracing is on. */
  readonly aroundHub: (target: string, run: () => unknown) => unknown
}

/** The messages of a chat are short and few, so these are below the library's defaults. */
const LIMITS = { pieceBytes: 128 * 1024, messagesASecond: 100, waitingPosts: 8 }

const PATHS = ['/chatHub', '/api/chatHub'] as const
const ADDRESSES = PATHS.flatMap((path) => [
  `POST ${path}/negotiate`,
  ...['GET', 'POST', 'DELETE'].map((method) => `${method} ${path}`),
])
/** The Upgrade header is a list of protocols. */
const WEBSOCKET = /(?:^|,)[ \t]*websocket[ \t]*(?:,|$)/i

/**
 * Opens the hub, which follows changes from then on. `nodes` connects several nodes and is null for one alone.
 * With `late`, `viewerOfBearer` accepts an expired token if its session is valid.
 */
export function openChat(
  core: Core,
  nodes: Pick<NodesLink, 'link'> | null,
  { viewerOfBearer, hubMessages, aroundHub }: Callers,
): Chat {
  const { log, config } = core
  const areLimited = config.RATE_LIMITS === 'on'
  const needs = { ...core, deliver: createDeliver(() => hub.clients) }
  const hub: HubServer = createHubServer({
    definition: createChatHub(needs),
    catchUpEvent: 'CatchUp',
    // Signs connection tokens, so it must be the same on all nodes.
    secret: Buffer.from(deriveKey(core.secrets[0], 'hub')).toString('hex'),
    origins: config.CORS_ORIGINS,
    ...(nodes !== null && {
      backplane: createRedisBackplane({ link: nodes.link, namespace: 'chat' }),
    }),
    ...(areLimited && { admission: createAdmission(config.TRUST_PROXY), limits: LIMITS }),
    authenticate: createHubDoor(viewerOfBearer),
    onFault: (error, where) => log.error({ err: error, where }, 'hub'),
    protocols: [jsonProtocol, messagePackProtocol],
    // Don't change it: during a rolling restart, nodes of two versions exchange messages.
    betweenNodes: messagePackCodec,
    observer: { message: (direction) => hubMessages.inc(direction) },
    filters: [
      ...(areLimited ? [createCallTurns()] : []),
      { invoke: ({ method }, run) => aroundHub(method.toLowerCase(), run) },
    ],
  })
  const findLive = (callers: readonly string[]) => findLiveCallers(core, callers)
  const watch = watchSessions({ hub, findLive, log })
  const late = createLateDelivery(needs)
  follow(core, hub, late)
  const find = (url: string | undefined) =>
    PATHS.map((path) => subpathOf(url, path)).find((subpath) => subpath !== null)
  return {
    hub,
    addresses: ADDRESSES,
    answer: (request, response) => {
      const subpath = find(request.url)
      if (subpath === undefined || subpath === null) return false
      hub.answer(request, response, subpath)
      return true
    },
    takesUpgrade: ({ url, method, headers }) =>
      method === 'GET' && find(url) === '' && WEBSOCKET.test(headers.upgrade ?? ''),
    takeUpgrades: (server) => {
      server.on('upgrade', (request, socket, head) => hub.upgrade(request, socket, head))
    },
    close: async () => {
      watch.stop()
      await late.deliverAll()
      await hub.close(0)
    },
  }
}

/** Closes connections, or notifies them, when something changes elsewhere. */
function follow({ events }: Core, hub: HubServer, late: LateDelivery): void {
  events.subscribe((event, origin) => {
    // Each node notifies its own connections: the dead node may have had messages for anybody.
    if (event.type === 'node.lost') hub.catchUpHere()
    // The hub reaches connections on other nodes by its own backplane, so it must not react twice.
    if (origin === 'elsewhere') return
    switch (event.type) {
      case 'sessions.revoked':
        hub.closeUser(event.userId, {
          exceptSession: event.exceptSession,
          exceptLasting: event.tokensToo !== true,
        })
        break
      case 'session.ended':
        hub.closeSession(event.userId, event.sessionId)
        break
      case 'user.erased':
      case 'user.suspended':
        hub.closeUser(event.userId)
        break
      case 'message.written':
        late.deliverLater(event.messageId)
        break
      case 'messages.read':
        // The number of unread messages is on every page of the person.
        hub.clients.user(event.userId).send('MessagesRead')
        break
      default:
    }
  })
}
