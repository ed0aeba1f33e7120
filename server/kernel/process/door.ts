/** How a process stops serving without a request that fails: the listener, its connections, what is under way on them. */
import type { Server } from 'node:http'
import { Server as TcpServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

export interface Door {
  /** True from `beginLeaving` on. */
  readonly isLeaving: boolean
  /** A server of this process; before it listens. */
  watch(server: Server): void
  /** Serves as before, but each answer is its connection's last: so a balancer's idle connections go away by themselves. */
  beginLeaving(): void
  /** Takes no new connections; those that are there go on. */
  shut(): Promise<void>
  /**
   * Resolves when all connections are gone. Idle ones are closed after `lingerMs`, as a balancer may be sending over
   * them right now; what is under way after `patienceMs` is cut. Answers how many connections were cut.
   */
  empty(times: Patience): Promise<number>
}

export interface Patience {
  readonly lingerMs: number
  readonly patienceMs: number
}

const LOOK_MS = 20
/** A turn of the event loop that is shorter leaves no time for a connection to come in between. */
const CALM_MS = 0.5
const MOST_WAIT_FOR_CALM_MS = 200

/** A door for the servers of one process; each is given to `watch` before it listens. */
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
      await calm()
      for (const server of servers)
        // Not the server's own `close`: that ends idle connections at once, also those with a request on its way.
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
 * Connections that the system has taken for us and that we have not, are reset when the listener closes. Each turn of
 * the event loop takes all that wait, so right after a short turn there are none.
 */
async function calm(): Promise<void> {
  const end = performance.now() + MOST_WAIT_FOR_CALM_MS
  for (let before = performance.now(); before < end;) {
    await nextTurn()
    const now = performance.now()
    if (now - before < CALM_MS) return
    before = now
  }
}
