/** A hub on Hono in Node. */
import { createServer, type Server } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { subpathOf, type HubServer } from 'signalr-hub-server'

/** Serves `hub` at `/hub`, next to the application's routes. */
export function mountOnHono(hub: HubServer): Server {
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.all('/hub/*', (context) => {
    const { incoming, outgoing } = context.env
    hub.answer(incoming, outgoing, subpathOf(incoming.url, '/hub') ?? '')
    return RESPONSE_ALREADY_SENT
  })
  app.get('/', (context) => context.text('Hello.'))
  // Like `serve`, but without replacing the global `Request` and `Response`.
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }))
  server.on('upgrade', (request, socket, head) => {
    if (subpathOf(request.url, '/hub') === '') hub.upgrade(request, socket, head)
    else socket.destroy()
  })
  return server
}
