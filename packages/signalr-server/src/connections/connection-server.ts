/** Connections over HTTP without the hub protocol. A hub uses it, and a plain echo can. */
import { randomBytes } from 'node:crypto'
import { createLocalBackplane, type Backplane } from '../backplane/backplane.ts'
import { OPEN_DOOR, type Admission } from './admission.ts'
import type { Application, Connection } from './connection.ts'
import { createConnectionTokens } from './connection-token.ts'
import { Connections } from './connections.ts'
import type { Origins } from './cors.ts'
import { createEndpoint, type Authenticate, type HubEndpoint } from './endpoint.ts'
import { DEFAULT_LIMITS, type Limits } from '../limits.ts'
import { createPipes } from './pipes.ts'
import type { TransportName } from '../transports/transport.ts'

export interface ConnectionServerOptions {
  /** Signs connection tokens. Must be the same on all nodes. */
  readonly secret: string
  /** Allows everybody by default. */
  readonly authenticate?: Authenticate
  /** Unlimited by default. */
  readonly admission?: Admission
  /** All three by default. */
  readonly transports?: readonly TransportName[]
  /** Other origins whose pages may connect. None by default. */
  readonly origins?: Origins
  /** Additional request headers of such pages, such as for a proxy or a token. */
  readonly allowedHeaders?: readonly string[]
  readonly limits?: Partial<Limits>
  /** Connects several nodes. Closing the server leaves it open, because other hubs may use it. */
  readonly backplane?: Backplane
  readonly onFault?: (error: unknown, where: string) => void
}

export interface ConnectionServer extends HubEndpoint {
  readonly backplane: Backplane
  readonly limits: Limits
  /** Number of connections on this node. */
  size(): number
  /** Refuses new connections. */
  refuse(): void
  /**
   * Refuses new connections and ends all existing ones, including those forwarded to other nodes. Resolves when
   * they have received their last messages, or after `mostMs` (the close timeout by default).
   */
  drain(mostMs?: number): Promise<void>
  /** Drains, then releases all resources. */
  close(mostMs?: number): Promise<void>
}

const TRANSPORTS: readonly TransportName[] = ['WebSockets', 'ServerSentEvents', 'LongPolling']
const LOOK_MS = 20

/** Returns a random name without a dot for a process. */
export const createNodeName = (): string => randomBytes(9).toString('base64url')

/**
 * Accepts connections over every transport and creates one application for each. Without a backplane there is only
 * one node.
 */
export function createConnectionServer(
  options: ConnectionServerOptions,
  createApplication: (connection: Connection) => Application,
): ConnectionServer {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const backplane = options.backplane ?? createLocalBackplane(createNodeName())
  const tokens = createConnectionTokens(options.secret, backplane.node, backplane.address)
  const connections = new Connections(tokens, limits, createApplication)
  const pipes = createPipes()
  let isOpen = true
  const endpoint = createEndpoint({
    connections,
    tokens,
    backplane,
    limits,
    pipes,
    transports: options.transports ?? TRANSPORTS,
    origins: options.origins ?? [],
    allowedHeaders: options.allowedHeaders ?? [],
    authenticate: options.authenticate ?? (() => Promise.resolve(null)),
    admission: options.admission ?? OPEN_DOOR,
    isOpen: () => isOpen,
    onFault: options.onFault ?? (() => {}),
  })
  const drain = async (mostMs = limits.closeMs) => {
    isOpen = false
    pipes.leave()
    for (const connection of connections.all()) connection.end()
    const end = Date.now() + mostMs
    // A polling connection remains for a while after its end, even if the client already received everything and
    // moved to another node.
    const isDrained = () => [...connections.all()].every((connection) => connection.waiting() === 0)
    while (!isDrained() && Date.now() < end)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  return {
    ...endpoint,
    backplane,
    limits,
    size: () => connections.size,
    refuse: () => {
      isOpen = false
    },
    drain,
    close: async (mostMs) => {
      await drain(mostMs)
      connections.stop()
      for (const connection of connections.all()) connection.drop()
    },
  }
}

/** Returns what follows `path` in a request's URL, `/negotiate` or '', or null for another URL. Ignores case. */
export function subpathOf(url: string | undefined, path: string): string | null {
  const [address = ''] = (url ?? '').split('?')
  const lower = address.toLowerCase()
  const start = path.toLowerCase()
  if (lower !== start && !lower.startsWith(`${start}/`)) return null
  return lower.slice(start.length).replace(/\/$/, '')
}
