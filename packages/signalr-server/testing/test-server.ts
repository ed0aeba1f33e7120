/** An HTTP server with the test hubs at the paths that external test suites expect. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { jwtVerify, SignJWT } from 'jose'
import type { Application, Connection } from '../src/connections/connection.ts'
import {
  createConnectionServer,
  subpathOf,
  type ConnectionServer,
} from '../src/connections/connection-server.ts'
import type { Authenticate } from '../src/connections/endpoint.ts'
import { createHubServer, type HubServer, type HubServerOptions } from '../src/hub-server.ts'
import { messagePackProtocol } from '../src/messagepack.ts'
import { jsonProtocol } from '../src/protocol/json-protocol.ts'
import { createTestHub, InvalidOperation } from './test-hub.ts'
import { allowEverybody, answerBesideHubs, redirectOf, setCookies } from './test-pages.ts'

export interface TestServer {
  readonly url: string
  /** The URL with TLS, or null without a certificate. */
  readonly secureUrl: string | null
  readonly hub: HubServer
  readonly server: Server
  readonly close: () => Promise<void>
}

export interface TestServerOptions extends Partial<HubServerOptions> {
  readonly port?: number
  /** A certificate and its key as PEM, for a second port with TLS. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly port?: number }
}

const KEY = new TextEncoder().encode('a key of the test server, 32 bytes and more')
const TOKEN_SECONDS = 5
const SECRET = 'a secret of the test server'

/** Listens on loopback; port 0 picks a free one. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { port = 0, tls, backplane, ...given } = options
  const shared = { secret: SECRET, detailedErrors: true, origins: '*' as const, ...given }
  const open = (change: Partial<HubServerOptions> = {}) => {
    const made: HubServer = createHubServer({
      definition: createTestHub(() => made.clients),
      protocols: [jsonProtocol, messagePackProtocol],
      ...shared,
      ...change,
    })
    return made
  }
  // Hubs with a shared backplane would receive each other's messages.
  const hub = open(backplane === undefined ? {} : { backplane })
  const places: readonly (readonly [string, ConnectionServer])[] = [
    ['/testhub', hub],
    ['/testhub-nowebsockets', open({ transports: ['ServerSentEvents', 'LongPolling'] })],
    ['/authorizedhub', open({ authenticate })],
    ['/uncreatable', open({ definition: refusing })],
    ['/echo', createConnectionServer(shared, (connection) => new Echo(connection))],
  ]
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    allowEverybody(request, response)
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end()
      return
    }
    const path = (request.url ?? '').toLowerCase()
    if (path.includes('/negotiate')) setCookies(request, response)
    if (answerBesideHubs(request, response)) return
    if (path.startsWith('/generatejwttoken')) {
      void createJwt().then((token) => response.end(token))
      return
    }
    if (path.startsWith('/clientresult/')) {
      const id = decodeURIComponent((request.url ?? '').split('/')[2] ?? '')
      void hub.clients
        .client(id)
        .invoke('Result')
        .then(
          (result) => response.end(String(result)),
          (error: unknown) => response.end(error instanceof Error ? error.message : ''),
        )
      return
    }
    for (const [place, mounted] of places) {
      const subpath = subpathOf(request.url, place)
      if (subpath === null) continue
      mounted.answer(request, response, subpath)
      return
    }
    response.writeHead(404).end()
  }
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const target = redirectOf(request)
    if (target !== null) {
      socket.end(
        `HTTP/1.1 307 Temporary Redirect\r\nLocation: ${target}\r\nConnection: close\r\n\r\n`,
      )
      return
    }
    const found = places.find(([place]) => subpathOf(request.url, place) === '')
    if (found === undefined) socket.destroy()
    else found[1].upgrade(request, socket, head)
  }
  const server = createServer(answer).on('upgrade', upgrade)
  const secure = tls === undefined ? null : createSecureServer(tls, answer).on('upgrade', upgrade)
  const listening = await listenOn(server, port)
  const secureListening = secure === null ? null : await listenOn(secure, tls?.port ?? 0)
  return {
    url: `http://127.0.0.1:${listening}`,
    secureUrl: secureListening === null ? null : `https://127.0.0.1:${secureListening}`,
    hub,
    server,
    close: async () => {
      await Promise.all(places.map(([, mounted]) => mounted.close()))
      for (const each of [server, secure]) {
        each?.closeAllConnections()
        await new Promise((resolve) => (each === null ? resolve(null) : each.close(resolve)))
      }
    },
  }
}

async function listenOn(server: Pick<Server, 'listen' | 'address'>, port: number) {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** The error of a hub whose required service is missing. */
const refusing = {
  methods: {},
  onConnected: () => {
    throw new InvalidOperation(
      "Unable to resolve service for type 'System.Object' while attempting to activate 'FunctionalTests.UncreatableHub'.",
    )
  },
}

const authenticate: Authenticate = async (_request, token) => {
  try {
    const { payload } = await jwtVerify(token ?? '', KEY)
    return { id: payload.sub ?? '' }
  } catch {
    return 'refused'
  }
}

function createJwt(): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('testuser')
    .setExpirationTime(`${TOKEN_SECONDS}s`)
    .sign(KEY)
}

/** Sends back what it receives. */
class Echo implements Application {
  readonly #connection: Connection
  constructor(connection: Connection) {
    this.#connection = connection
  }
  opened(): void {}
  received(piece: Buffer): undefined {
    this.#connection.write(piece, false)
  }
  mayResume(): boolean {
    return false
  }
  lost(): void {}
  resumed(): void {}
  ended(): void {}
  tick(): void {}
}
