/**
 * Stops serving without failing a request: closes the listener, then idle connections, then those with requests.
 */
import type { Server } from 'node:http'
import { Server as TcpServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

export interface Door {
  /** True after `beginLeaving`. */
  readonly isLeaving: boolean
  /** Call it before the server listens. */
  watch(server: Server): void
  /** Keeps serving, but each answer closes its connection, so the idle connections of a load balancer go away. */
  beginLeaving(): void
  /** Takes no new connections; open ones continue. */
  shut(): Promise<void>
  /**
   * Resolves with the number of connections it cut, when all are closed. Idle ones close after `lingerMs`, because
   * a load balancer may be sending on them right now; requests still running after `patienceMs` are cut.
   */
  empty(times: Patience): Promise<number>
}

export interface Patience {
  readonly lingerMs: number
  readonly patienceMs: number
}

const LOOK_MS = 20
/** A turn of the event loop shorter than this leaves no time for a connection to arrive in between. */
const SHORT_TURN_MS = 0.5
const MOST_WAIT_MS = 200

export function createDoor(): Door {
  const servers = new Set<Server>()
  const sockets = new Set<Socket>()
  let isLeaving = false

  return {
    get isLeaving() {
      return isLeaving
    },
    watch: (server) => {
      servers.add(server)
      server.on('connection', (socket) => {
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
      })
      server.prependListener('request', (_request, response) => {
        // The answer then says `Connection: close`.
        if (isLeaving) response.shouldKeepAlive = false
      })
    },
    beginLeaving: () => {
      isLeaving = true
    },
    shut: async () => {
      isLeaving = true
      await waitForShortTurn()
      for (const server of servers)
        // The HTTP server's own `close` would end idle connections at once, even with a request on its way.
        if (server.listening) TcpServer.prototype.close.call(server)
    },
    empty: async ({ lingerMs, patienceMs }) => {
      const begin = performance.now()
      for (;;) {
        const passed = performance.now() - begin
        if (passed >= lingerMs) for (const server of servers) server.closeIdleConnections()
        if (sockets.size === 0) return 0
        if (passed >= patienceMs) break
        await sleep(LOOK_MS)
      }
      const cut = sockets.size
      for (const socket of sockets) socket.destroy()
      return cut
    },
  }
}

/**
 * When the listener closes, the system resets connections that it has accepted and the process hasn't. Each turn
 * of the event loop takes all that wait, so right after a short turn there are none.
 */
async function waitForShortTurn(): Promise<void> {
  const end = performance.now() + MOST_WAIT_MS
  for (let before = performance.now(); before < end;) {
    await nextTurn()
    const now = performance.now()
    if (now - before < SHORT_TURN_MS) return
    before = now
  }
}
