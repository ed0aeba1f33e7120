/** Hub connections over HTTP: negotiation, the three transports, and forwarding to other nodes. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Admission } from './admission.ts'
import { receivePost } from './posts.ts'
import type { Backplane } from '../backplane/backplane.ts'
import type { Connection, HubUser } from './connection.ts'
import type { ConnectionTokens } from './connection-token.ts'
import type { Connections } from './connections.ts'
import { answerPreflight, isAllowedOrigin, writeCors, type Origins } from './cors.ts'
import { createEventTransport } from '../transports/event-transport.ts'
import { FORWARDED, forwardRequest, forwardUpgrade } from './forward.ts'
import type { Limits } from '../limits.ts'
import type { Pipes } from './pipes.ts'
import { foldFacts, queryOf, tokenOf } from './request-facts.ts'
import { describeConnection, readVersion } from '../transports/negotiate.ts'
import { createPollTransport, type PollTransport } from '../transports/poll-transport.ts'
import { createSocketTransport, PoliteSocket } from '../transports/socket-transport.ts'
import {
  refuse,
  refuseBusy,
  refuseSocket,
  AWAY_SECONDS,
  refuseAway,
  refuseInWords,
  type RefusedInWords,
} from './refusals.ts'
import type { TransportName } from '../transports/transport.ts'

/** Limits the parts of a frame or message, because each costs more memory than its bytes. */
const PARTS = { maxFragments: 1024, maxBufferedChunks: 4096 }

/**
 * Authenticates a request. `refused` requires a valid token; `forbidden` refuses this person; `away` means that it
 * can't be checked now.
 */
export type Authenticate = (
  request: IncomingMessage,
  accessToken: string | null,
  /** True for further requests of an admitted connection. */
  goesOn: boolean,
) => Promise<HubUser | RefusedInWords | null | 'refused' | 'forbidden' | 'away'>

export interface EndpointOptions {
  readonly connections: Connections
  readonly tokens: ConnectionTokens
  readonly backplane: Backplane
  readonly limits: Limits
  /** Streams forwarded to other nodes. */
  readonly pipes: Pipes
  readonly transports: readonly TransportName[]
  readonly origins: Origins
  readonly allowedHeaders: readonly string[]
  readonly authenticate: Authenticate
  readonly admission: Admission
  /** False during shutdown, when new connections are refused. */
  readonly isOpen: () => boolean
  readonly onFault: (error: unknown, where: string) => void
}

export interface HubEndpoint {
  /** Handles a request below the hub's path. `subpath` is the rest of the path, `/negotiate` or ''. */
  answer(request: IncomingMessage, response: ServerResponse, subpath: string): void
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

/**
 * Serves the hub's address: negotiation, the three transports, and requests whose connection lives on another
 * node, which are forwarded.
 */
export function createEndpoint(options: EndpointOptions): HubEndpoint {
  const { admission, connections, backplane, limits, origins, pipes, onFault } = options
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: limits.pieceBytes,
    ...PARTS,
    clientTracking: false,
    WebSocket: PoliteSocket,
  })

  /** Our signed connection tokens are only given to admitted clients. */
  const authenticate = (request: IncomingMessage) => {
    const id = queryOf(request).get('id')
    const goesOn = id !== null && options.tokens.placeOf(id) !== null
    return options.authenticate(request, tokenOf(request), goesOn)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse, subpath: string) => {
    writeCors(request, response, origins)
    response.setHeader('cache-control', 'no-store')
    if (request.method === 'OPTIONS') return answerPreflight(response, options.allowedHeaders)
    const isNew = subpath === '/negotiate'
    const wait = isNew ? admission.knock(request) : (admission.request?.(request) ?? null)
    if (wait !== null) return refuseBusy(request, response, wait)
    const user = await authenticate(request)
    if (user === 'refused') return refuse(response, 401)
    if (user === 'forbidden') return refuse(response, 403)
    if (user === 'away') return refuseAway(request, response)
    if (isRefused(user)) return refuseInWords(request, response, user)
    const query = queryOf(request)
    if (isNew) return negotiate(request, response, query, user)
    if (subpath !== '') return refuse(response, 404)
    const { method } = request
    if (method !== 'GET' && method !== 'POST' && method !== 'DELETE') return refuse(response, 405)
    const token = query.get('id')
    if (token === null || token === '') return refuse(response, 400, 'Connection ID required')
    const node = await locate(request, token)
    if (node === null) return refuse(response, 404, 'No Connection with that ID')
    if (node !== 'here')
      return forwardRequest(request, response, node, pipes, () => refuse(response, 404))
    const connection = connections.find(token)
    if (connection === undefined || !belongs(connection, user))
      return refuse(response, 404, 'No Connection with that ID')
    connection.renew(user)
    if (method === 'POST') return receivePost(request, response, connection, limits)
    if (method === 'DELETE') return leave(response, connection)
    if ((request.headers.accept ?? '').includes('text/event-stream'))
      return openEvents(request, response, connection)
    return poll(request, response, connection)
  }

  const negotiate = (
    request: IncomingMessage,
    response: ServerResponse,
    query: URLSearchParams,
    user: HubUser | null,
  ) => {
    request.resume()
    if (request.method !== 'POST') return refuse(response, 405)
    if (!options.isOpen()) return refuse(response, 503)
    const version = readVersion(query)
    if (version === null)
      return answerJson(response, {
        error: 'The client requested a version of the negotiation that is not known.',
      })
    const stateful = query.get('useStatefulReconnect')?.toLowerCase() === 'true'
    const opened = open(request, user, stateful)
    if ('seconds' in opened) return refuseBusy(request, response, opened)
    return answerJson(response, describeConnection(opened, version, options.transports))
  }

  /** Creates a connection unless there are too many. */
  const open = (request: IncomingMessage, user: HubUser | null, stateful: boolean) => {
    const entered = admission.enter(request, user)
    if ('seconds' in entered) return entered
    const stay = typeof entered === 'function' ? { leave: entered } : entered
    return connections.open(user, stateful, stay)
  }

  /** Finds a token's connection: on this node, at another node's address, or nowhere. */
  const locate = async (request: IncomingMessage, token: string): Promise<string | null> => {
    const place = options.tokens.placeOf(token)
    if (place === null) return null
    if (place.node === backplane.node) return 'here'
    if (request.headers[FORWARDED] !== undefined) return null
    return backplane.findNode(place.node, place.address)
  }

  const leave = (response: ServerResponse, connection: Connection) => {
    if (connection.transportName !== 'LongPolling') return refuse(response, 400)
    connection.end()
    connections.remove(connection)
    response.writeHead(202, { 'content-type': 'text/plain', 'content-length': '0' }).end()
  }

  const mayUse = (name: TransportName) => options.transports.includes(name)

  const openEvents = (
    request: IncomingMessage,
    response: ServerResponse,
    connection: Connection,
  ) => {
    if (!mayUse('ServerSentEvents')) return refuse(response, 404)
    if (connection.transportName === 'ServerSentEvents') return refuse(response, 409)
    if (connection.transportName !== null) return refuse(response, 400)
    connection.attach(createEventTransport(response, connection, limits), foldFacts(request))
  }

  const poll = (request: IncomingMessage, response: ServerResponse, connection: Connection) => {
    if (!mayUse('LongPolling')) return refuse(response, 404)
    if (connection.transportName !== null && connection.transportName !== 'LongPolling')
      return refuse(response, 400)
    const transport = polls.get(connection)
    if (transport !== undefined) {
      if (connection.state === 'attached') connection.brought(foldFacts(request))
      transport.poll(response)
      return
    }
    const first = createPollTransport(connection, limits, () => connections.remove(connection))
    polls.set(connection, first)
    connection.attach(first, foldFacts(request))
    // The client has started when its first poll is answered.
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '0' }).end()
  }
  const polls = new WeakMap<Connection, PollTransport>()

  /** After `onOpened`, the socket no longer speaks HTTP. */
  const upgrade = async (
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    onOpened: () => void,
  ) => {
    if (!isAllowedOrigin(request, origins)) return refuseSocket(socket, 403)
    const isNew = !queryOf(request).has('id')
    const wait = isNew ? admission.knock(request) : (admission.request?.(request) ?? null)
    if (wait !== null) return refuseSocket(socket, 429, { wait })
    const user = await authenticate(request)
    if (user === 'refused') return refuseSocket(socket, 401)
    if (user === 'forbidden') return refuseSocket(socket, 403)
    if (user === 'away') return refuseSocket(socket, 503, { wait: { seconds: AWAY_SECONDS } })
    if (isRefused(user)) return refuseSocket(socket, user.status, { text: user.text })
    if (!mayUse('WebSockets')) return refuseSocket(socket, 404)
    const token = queryOf(request).get('id')
    const node = token === null ? 'here' : await locate(request, token)
    if (node === null) return refuseSocket(socket, 404)
    if (node !== 'here')
      return forwardUpgrade(request, socket, head, node, pipes, () => refuseSocket(socket, 404))
    const known = token === null ? undefined : connections.find(token)
    if (token !== null && (known === undefined || !belongs(known, user)))
      return refuseSocket(socket, 404)
    if (known === undefined && !options.isOpen()) return refuseSocket(socket, 503)
    const name = known?.transportName ?? null
    if (name !== null && name !== 'WebSockets') return refuseSocket(socket, 400)
    if (known?.state === 'attached' && !known.mayResume()) return refuseSocket(socket, 409)
    known?.renew(user)
    const connection = known ?? open(request, user, false)
    if ('seconds' in connection) return refuseSocket(socket, 429, { wait: connection })
    onOpened()
    sockets.handleUpgrade(request, socket, head, (opened) => {
      // From here on the transport handles errors.
      socket.off('error', destroyIt)
      const transport = createSocketTransport(opened, socket, connection, limits)
      connection.attach(transport, foldFacts(request))
    })
  }

  return {
    answer: (request, response, subpath) => {
      answer(request, response, subpath).catch((error: unknown) => {
        if (!request.destroyed) onFault(error, 'request')
        if (response.headersSent) response.destroy()
        else refuse(response, request.complete ? 500 : 400)
      })
    },
    upgrade: (request, socket, head) => {
      // Ignores errors until the socket has an owner.
      socket.on('error', destroyIt)
      let isOpened = false
      const onOpened = () => {
        isOpened = true
      }
      upgrade(request, socket, head, onOpened).catch((error: unknown) => {
        onFault(error, 'upgrade')
        if (isOpened) socket.destroy()
        else refuseSocket(socket, 500)
      })
    },
  }
}

function isRefused(user: HubUser | RefusedInWords | null): user is RefusedInWords {
  return user !== null && 'status' in user
}

function answerJson(response: ServerResponse, body: unknown): void {
  const json = JSON.stringify(body)
  const size = Buffer.byteLength(json)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': size }).end(json)
}

/** A single function shared by all sockets. */
function destroyIt(this: Duplex): void {
  this.destroy()
}

/** Only the connection's user may use it, even if others know its token. */
function belongs(connection: Connection, user: HubUser | null): boolean {
  return connection.user?.id === user?.id
}
