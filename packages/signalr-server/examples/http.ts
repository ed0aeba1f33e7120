/** A hub on a `node:http` server. */
import { createServer, type Server } from 'node:http'
import { subpathOf, type HubServer } from 'signalr-hub-server'

/** Serves `hub` at `/hub`, next to the server's other responses. */
export function mountOnHttp(hub: HubServer): Server {
  const server = createServer((request, response) => {
    const subpath = subpathOf(request.url, '/hub')
    if (subpath === null) response.end('Hello.')
    else hub.answer(request, response, subpath)
  })
  server.on('upgrade', (request, socket, head) => {
    if (subpathOf(request.url, '/hub') === '') hub.upgrade(request, socket, head)
    else socket.destroy()
  })
  return server
}
