/** A hub on a server of `node:http`. */
import { createServer, type Server } from 'node:http'
import { subpathOf, type HubServer } from 'signalr-hub-server'

/** `hub` at `/hub`, beside what else the server answers. */
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
