/** A hub on Express. */
import { createServer, type Server } from 'node:http'
import express from 'express'
import { subpathOf, type HubServer } from 'signalr-hub-server'

/** `hub` at `/hub`, beside the routes of the application. */
export function mountOnExpress(hub: HubServer): Server {
  const app = express()
  // Before `express.text()` and the like: what they have read the hub could not read any more. Not by `app.use('/hub', …)`,
  // which cuts the path off: another node that gets the request needs it.
  app.all(['/hub', '/hub/negotiate'], (request, response) => {
    hub.answer(request, response, subpathOf(request.url, '/hub') ?? '')
  })
  app.use(express.text({ type: '*/*' }))
  app.get('/', (_request, response) => void response.send('Hello.'))
  // `app.listen` makes such a server too, but tells of it only afterwards.
  const server = createServer(app)
  server.on('upgrade', (request, socket, head) => {
    if (subpathOf(request.url, '/hub') === '') hub.upgrade(request, socket, head)
    else socket.destroy()
  })
  return server
}
