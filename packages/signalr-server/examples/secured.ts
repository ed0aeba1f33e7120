/** A hub with tokens, policies, schemas and a limit on connections. */
import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { createHubServer, subpathOf, type Admission, type HubUser } from 'signalr-hub-server'
import { z } from 'zod'

const TOKEN_MS = Number(process.env['TOKEN_MS'] ?? 3_600_000)
const MOST_FROM_ONE_ADDRESS = 5

/** A real application would look up a session or verify a signed token instead. */
function readToken(token: string): HubUser | null {
  const [name = '', password = ''] = token.split(':')
  const given = Buffer.from(password.padEnd(16).slice(0, 16))
  if (!timingSafeEqual(given, Buffer.from('an-open-sesame  '))) return null
  const role = name === 'ann' ? 'editor' : 'reader'
  return { id: name, claims: { role }, expiresAt: Date.now() + TOKEN_MS }
}

/** Limits the connections of an address. */
function admitFew(most: number): Admission {
  const open = new Map<string, number>()
  const addressOf = ({ socket }: IncomingMessage) => socket.remoteAddress ?? ''
  return {
    // Runs before authentication: the place to limit attempts.
    knock: () => null,
    enter: (request) => {
      const address = addressOf(request)
      const count = open.get(address) ?? 0
      if (count >= most) return { seconds: 10 }
      open.set(address, count + 1)
      return () => {
        const left = (open.get(address) ?? 1) - 1
        if (left > 0) open.set(address, left)
        else open.delete(address)
      }
    },
  }
}

const hub = createHubServer({
  secret: process.env['HUB_SECRET'] ?? '',
  // Runs for every request, including polls and POSTs.
  authenticate: async (_request, accessToken) =>
    (accessToken === null ? null : readToken(accessToken)) ?? 'refused',
  // Pages of other origins that may connect; none by default.
  origins: ['https://app.example'],
  admission: admitFew(MOST_FROM_ONE_ADDRESS),
  // Ends the connection with its token. The client reconnects with a newer one.
  closeOnExpiry: true,
  definition: {
    // Runs before every call.
    authorize: ({ context }) => context.user !== null,
    methods: {
      Read: () => 'anybody may',
      Write: {
        arguments: [z.string().min(1).max(1000)],
        authorize: ({ context }) => context.user?.claims?.['role'] === 'editor',
        run: (_context, text) => `wrote ${String(text)}`,
      },
    },
  },
  onFault: (error, where) => console.error(where, error),
})

/** The query contains tokens, so logs get only the path. */
const pathOf = (url = '') => url.split('?', 1)[0] ?? ''

const server = createServer((request, response) => {
  console.log(request.method, pathOf(request.url))
  const subpath = subpathOf(request.url, '/hub')
  if (subpath === null) response.writeHead(404).end()
  else hub.answer(request, response, subpath)
})
server.on('upgrade', (request, socket, head) => {
  if (subpathOf(request.url, '/hub') === '') hub.upgrade(request, socket, head)
  else socket.destroy()
})
server.listen(Number(process.env['PORT'] ?? 3000))
