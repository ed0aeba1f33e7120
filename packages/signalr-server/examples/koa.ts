/** A hub on Koa. */
import { createServer, type Server } from 'node:http'
import Koa from 'koa'
import { subpathOf, type HubServer } from 'signalr-hub-server'

/** Serves `hub` at `/hub`, next to the application's middleware. */
export function mountOnKoa(hub: HubServer): Server {
  const app = new Koa()
  // Before body parsers, because the hub can't read a body that they have consumed.
  app.use((context, next) => {
    const subpath = subpathOf(context.req.url, '/hub')
    if (subpath === null) return next()
    context.respond = false
    hub.answer(context.req, context.res, subpath)
    return undefined
  })
  app.use((context) => {
    context.body = 'Hello.'
  })
  const server = createServer(app.callback())
  server.on('upgrade', (request, socket, head) => {
    if (subpathOf(request.url, '/hub') === '') hub.upgrade(request, socket, head)
    else socket.destroy()
  })
  return server
}
