/** The chat's hub in this process: its connections, what it follows, and how requests reach it. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { deriveKey } from '#server/accounts/sessions/tokens.ts'
import { createAdmission } from '#server/chat/admission.ts'
import { createCallTurns } from '#server/chat/call-turns.ts'
import { createChatHub, createDeliver } from '#server/chat/hub.ts'
import { createHubDoor, findLiveCallers } from '#server/chat/door.ts'
import { createLateDelivery, type LateDelivery } from '#server/chat/late-delivery.ts'
import { watchSessions } from '#server/chat/session-watch.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Core } from '#server/kernel/core.ts'
import type { NodesLink } from '#server/nodes/redis.ts'
import { createHubServer, jsonProtocol, subpathOf, type HubServer } from '#signalr'
import { messagePackCodec, messagePackProtocol } from '#signalr/messagepack'
import { createRedisBackplane } from '#signalr/redis'

export interface Chat {
  readonly hub: Pick<HubServer, 'drain' | 'size' | 'users' | 'clients'>
  /** What `answer` answers, as `POST /chatHub/negotiate`. */
  readonly addresses: readonly string[]
  /** True when the request was the hub's. */
  answer(request: IncomingMessage, response: ServerResponse): boolean
  /** True for a WebSocket's upgrade at the hub's address. */
  takesUpgrade(request: IncomingMessage): boolean
  /** Takes the upgrades of a server for which `takesUpgrade` is true. */
  takeUpgrades(server: Server): void
  /** Delivers what still waits, then lets go of everything; who is to go elsewhere has been sent there by `hub.drain`. */
  close(): Promise<void>
}

interface Callers {
  readonly viewerOfBearer: (token: string, late: boolean) => Promise<Viewer | null>
  /** Counts the hub's messages. */
  readonly hubMessages: { inc(direction: 'in' | 'out'): void }
  /** Runs each method of the hub, and makes a span of it where spans are wanted. */
  readonly aroundHub: (target: string, run: () => unknown) => unknown
}

/** The messages of a chat are short and few, so less than the library allows is enough. */
const LIMITS = { pieceBytes: 128 * 1024, messagesASecond: 100, waitingPosts: 8 }

const PATHS = ['/chatHub', '/api/chatHub'] as const
const ADDRESSES = PATHS.flatMap((path) => [
  `POST ${path}/negotiate`,
  ...['GET', 'POST', 'DELETE'].map((method) => `${method} ${path}`),
])
/** Upgrade is a list of protocols. */
const WEBSOCKET = /(?:^|,)[ \t]*websocket[ \t]*(?:,|$)/i

/**
 * Opens the hub, which follows the bus from then on. `nodes`: what connects several nodes, null for one alone.
 * `viewerOfBearer`: with `late` an expired token will do, when its session lives.
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
    // Signs connection tokens; the same on all nodes.
    secret: Buffer.from(deriveKey(core.secrets[0], 'hub')).toString('hex'),
    origins: config.CORS_ORIGINS,
    ...(nodes !== null && {
      backplane: createRedisBackplane({ link: nodes.link, namespace: 'chat' }),
    }),
    ...(areLimited && { admission: createAdmission(config.TRUST_PROXY), limits: LIMITS }),
    authenticate: createHubDoor(viewerOfBearer),
    onFault: (error, where) => log.error({ err: error, where }, 'hub'),
    protocols: [jsonProtocol, messagePackProtocol],
    // As nodes of earlier versions write, beside which this one may run while they are replaced.
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

/** What happens elsewhere ends connections, or is what they must hear of. */
function follow({ changes }: Core, hub: HubServer, late: LateDelivery): void {
  changes.subscribe((change, origin) => {
    // Each node says so to its own: who died may have had messages for anybody.
    if (change.kind === 'nodeLost') hub.catchUpHere()
    // The hub reaches the connections at other nodes by its own backplane, once.
    if (origin === 'elsewhere') return
    switch (change.kind) {
      case 'sessionsRevoked':
        hub.closeUser(change.userId, {
          exceptSession: change.exceptSession,
          exceptLasting: change.tokensToo !== true,
        })
        break
      case 'sessionEnded':
        hub.closeSession(change.userId, change.sessionId)
        break
      case 'personErased':
      case 'personSuspended':
        hub.closeUser(change.userId)
        break
      case 'messageWritten':
        late.deliverLater(change.messageId)
        break
      case 'messagesRead':
        // The number of unread messages stands on every page of theirs.
        hub.clients.user(change.userId).send('MessagesRead')
        break
      default:
    }
  })
}
