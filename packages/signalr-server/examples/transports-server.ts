/** A hub that offers some transports and both protocols. */
import { createServer } from 'node:http'
import { createHubServer, jsonProtocol, subpathOf } from 'signalr-hub-server'
import { messagePackProtocol } from 'signalr-hub-server/messagepack'

const hub = createHubServer({
  secret: process.env['HUB_SECRET'] ?? '',
  // For example those that the proxies on the way let through.
  transports: ['WebSockets', 'LongPolling'],
  protocols: [jsonProtocol, messagePackProtocol],
  limits: {
    // Shorter than the timeout of the proxy, often 60 s.
    pollMs: 45_000,
  },
  definition: {
    methods: { Transport: (context) => context.transport, Bytes: () => new Uint8Array([1, 2, 3]) },
  },
})

const server = createServer((request, response) => {
  const subpath = subpathOf(request.url, '/hub')
  if (subpath === null) response.writeHead(404).end()
  else hub.answer(request, response, subpath)
})
server.on('upgrade', (request, socket, head) => {
  if (subpathOf(request.url, '/hub') === '') hub.upgrade(request, socket, head)
  else socket.destroy()
})
server.listen(Number(process.env['PORT'] ?? 3000))
