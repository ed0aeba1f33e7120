/** Connections over HTTP without a protocol on them: what a hub is built on, and enough for a bare echo. */
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
  /** Signs connection tokens; the same on all nodes. */
  readonly secret: string
  /** Everybody may connect, unless this says otherwise. */
  readonly authenticate?: Authenticate
  /** How many may come; any number, unless this says otherwise. */
  readonly admission?: Admission
  /** All three by default. */
  readonly transports?: readonly TransportName[]
  /** Foreign pages that may connect; none, unless they are named. */
  readonly origins?: Origins
  /** What such pages may send beside the headers of the client, for a proxy's or a token's sake. */
  readonly allowedHeaders?: readonly string[]
  readonly limits?: Partial<Limits>
  /** What connects several nodes. It stays open when the server closes, as other hubs may use it. */
  readonly backplane?: Backplane
  readonly onFault?: (error: unknown, where: string) => void
}

export interface ConnectionServer extends HubEndpoint {
  readonly backplane: Backplane
  readonly limits: Limits
  /** Connections on this node. */
  size(): number
  /** Takes nobody new. */
  refuse(): void
  /**
   * Takes nobody new and ends all connections, also those that it carries to other nodes; resolves when they have taken what was said last, or
   * after `mostMs`; the close timeout unless given.
   */
  drain(mostMs?: number): Promise<void>
  /** The same, then lets go of everything. */
  close(mostMs?: number): Promise<void>
}

const TRANSPORTS: readonly TransportName[] = ['WebSockets', 'ServerSentEvents', 'LongPolling']
const LOOK_MS = 20

/** A name without a dot, for a process. */
export const createNodeName = (): string => randomBytes(9).toString('base64url')

/**
 * Accepts connections over every transport and makes one application for each. Without a backplane the process is
 * alone.
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
    // One that polls is known for a while after its end, and may have gone elsewhere with all that was said to it.
    const isHeard = () => [...connections.all()].every((connection) => connection.waiting() === 0)
    while (!isHeard() && Date.now() < end)
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

/** What follows `path` in a request's address, `/negotiate` or empty; null when it is another address. Case is ignored. */
export function subpathOf(url: string | undefined, path: string): string | null {
  const [address = ''] = (url ?? '').split('?')
  const lower = address.toLowerCase()
  const start = path.toLowerCase()
  if (lower !== start && !lower.startsWith(`${start}/`)) return null
  return lower.slice(start.length).replace(/\/$/, '')
}
