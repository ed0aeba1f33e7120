/** A hub on Express. */
import { createServer, type Server } from 'node:http'
import express from 'express'
import { subpathOf, type HubServer } from 'signalr-hub-server'

/** Serves `hub` at `/hub`, next to the application's routes. */
export function mountOnExpress(hub: HubServer): Server {
  const app = express()
  // Before `express.text()` and other parsers, because the hub can't read a body that they have consumed. Doesn't
  // use `app.use('/hub', …)`, which removes the path: a request forwarded to another node needs it.
  app.all(['/hub', '/hub/negotiate'], (request, response) => {
    hub.answer(request, response, subpathOf(request.url, '/hub') ?? '')
  })
  app.use(express.text({ type: '*/*' }))
  app.get('/', (_request, response) => void response.send('Hello.'))
  // `app.listen` also creates a server, but returns it too late to add the upgrade handler.
  const server = createServer(app)
  server.on('upgrade', (request, socket, head) => {
    if (subpathOf(request.url, '/hub') === '') hub.upgrade(request, socket, head)
    else socket.destroy()
  })
  return server
}
