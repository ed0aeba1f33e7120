/** The chat whole: its calls over HTTP, its hub, and how requests reach the hub. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createAdmission } from '#server/chat/admission.ts'
import { createChatHub, createDeliver, createTellRead } from '#server/chat/hub.ts'
import { chatRoutes } from '#server/chat/routes.ts'
import { watchSessions } from '#server/chat/session-watch.ts'
import type { Db } from '#server/db/connect.ts'
import type { Route, Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { toRefusal } from '#server/kernel/http/http-errors.ts'
import type { Log } from '#server/kernel/log.ts'
import type { Backplane } from '#server/signalr/backplane/backplane.ts'
import { restOf } from '#server/signalr/connections/connection-server.ts'
import { createHubServer, type HubServer } from '#server/signalr/hub-server.ts'

export interface ChatOptions {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  /** False: people write as fast, and connect as often, as they like (RATE_LIMITS). */
  readonly limited: boolean
  /** Signs connection tokens; the same on all nodes. */
  readonly secret: string
  /** Foreign pages that may connect. */
  readonly origins: readonly string[]
  /** Trusted proxies between callers and this node, for the limits by address. */
  readonly proxies: number
  /** What connects several nodes; null for one alone. */
  readonly backplane: Backplane | null
  /** `late`: an expired token will do, when its session lives. */
  readonly viewerOfBearer: (token: string, late: boolean) => Promise<Viewer | null>
  /** Of these sessions those that live, of people who are not suspended. */
  readonly findLiveSessions: (ids: readonly string[]) => Promise<ReadonlySet<string>>
}

export interface Chat {
  readonly routes: Route[]
  readonly hub: HubServer
  /** True when the request was the hub's. */
  answer(request: IncomingMessage, response: ServerResponse): boolean
  /** Takes the upgrades of a server that are the hub's, and refuses the others. */
  takeUpgrades(server: Server): void
  /** Delivers what still waits, then lets go of everything; who is to go elsewhere has been told by `hub.drain`. */
  close(): Promise<void>
}

const PATHS = ['/chatHub', '/api/chatHub'] as const

/** Without the database nobody can be known, and that is no fault of who calls. */
function awayOr(error: unknown): 'away' {
  if (toRefusal(error)?.status === 503) return 'away'
  throw error
}

export function createChat(options: ChatOptions): Chat {
  const { db, clock, log, limited, secret, origins, backplane, viewerOfBearer } = options
  const needs = {
    db,
    clock,
    log,
    limited,
    deliver: createDeliver(() => hub.clients),
    tellRead: createTellRead(() => hub.clients),
  }
  const hub = createHubServer({
    definition: createChatHub(needs),
    catchUpEvent: 'CatchUp',
    secret,
    origins,
    ...(backplane !== null && { backplane }),
    ...(limited && { admission: createAdmission(options.proxies) }),
    authenticate: async (_request, token, goesOn) => {
      const viewer = token === null ? null : await viewerOfBearer(token, goesOn).catch(awayOr)
      if (viewer === null) return 'refused'
      if (viewer === 'away') return 'away'
      return viewer.suspended ? 'forbidden' : { id: viewer.id, session: viewer.sessionId }
    },
    onFault: (error, where) => log.error({ err: error, where }, 'hub'),
  })
  const watch = watchSessions({ hub, findLive: options.findLiveSessions, log })
  const { routes, deliverAll } = chatRoutes(needs)
  const find = (url: string | undefined) =>
    PATHS.map((path) => restOf(url, path)).find((rest) => rest !== null)
  return {
    routes,
    hub,
    answer: (request, response) => {
      const rest = find(request.url)
      if (rest === undefined || rest === null) return false
      hub.answer(request, response, rest)
      return true
    },
    takeUpgrades: (server) => {
      server.on('upgrade', (request, socket, head) => {
        if (find(request.url) === '') hub.upgrade(request, socket, head)
        else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      })
    },
    close: async () => {
      watch.stop()
      await deliverAll()
      await hub.close(0)
    },
  }
}
