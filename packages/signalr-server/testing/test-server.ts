/** An HTTP server with the test hubs on it, at the paths that outside suites look for. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
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
import { createTestHub } from './test-hub.ts'

export interface TestServer {
  readonly url: string
  readonly hub: HubServer
  readonly server: Server
  readonly close: () => Promise<void>
}

const KEY = new TextEncoder().encode('a key of the test server, 32 bytes and more')
const TOKEN_SECONDS = 5
const SECRET = 'a secret of the test server'

/** Listens on loopback; port 0 takes a free one. It is long because it holds the hub that the tests speak to. */
export async function startTestServer(
  options: Partial<HubServerOptions> & { port?: number } = {},
): Promise<TestServer> {
  const { port = 0, backplane, ...given } = options
  const shared = { secret: SECRET, detailedErrors: true, ...given }
  const open = (change: Partial<HubServerOptions> = {}) => {
    const made: HubServer = createHubServer({
      definition: createTestHub(() => made.clients),
      protocols: [jsonProtocol, messagePackProtocol],
      ...shared,
      ...change,
    })
    return made
  }
  // Hubs that share a backplane would hear each other.
  const hub = open(backplane === undefined ? {} : { backplane })
  const places: readonly (readonly [string, ConnectionServer])[] = [
    ['/testhub', hub],
    ['/testhub-nowebsockets', open({ transports: ['ServerSentEvents', 'LongPolling'] })],
    ['/authorizedhub', open({ authenticate })],
    ['/uncreatable', open({ definition: refusing })],
    ['/echo', createConnectionServer(shared, (connection) => new Echo(connection))],
  ]
  let redirects = 0
  const server = createServer((request, response) => {
    allowEverybody(request, response)
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end()
      return
    }
    const path = (request.url ?? '').toLowerCase()
    if (path.includes('/negotiate'))
      response.setHeader('set-cookie', ['testCookie=testValue', 'testCookie2=testValue2'])
    if (path.startsWith('/redirect')) {
      redirects += 1
      const base = new URL(request.url ?? '', 'http://localhost').searchParams.get('baseUrl')
      response.end(JSON.stringify({ url: `${base}/testHub?numRedirects=${redirects}` }))
      return
    }
    if (path.startsWith('/bad-negotiate')) {
      response.writeHead(400).end('Some response from server')
      return
    }
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
  })
  server.on('upgrade', (request, socket, head) => {
    const found = places.find(([place]) => subpathOf(request.url, place) === '')
    if (found === undefined) socket.destroy()
    else found[1].upgrade(request, socket, head)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    hub,
    server,
    close: async () => {
      await Promise.all(places.map(([, mounted]) => mounted.close()))
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const refusing = {
  methods: {},
  onConnected: () => {
    throw new Error('this hub lets nobody in')
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

/** Says back what it hears. */
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

/** Suites run on pages of another port; never do this with anything that matters. */
function allowEverybody(request: IncomingMessage, response: ServerResponse): void {
  const { origin } = request.headers
  if (origin === undefined) return
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-allow-credentials', 'true')
  const method = request.headers['access-control-request-method']
  const headers = request.headers['access-control-request-headers']
  if (method !== undefined) response.setHeader('access-control-allow-methods', method)
  if (headers !== undefined) response.setHeader('access-control-allow-headers', headers)
}
