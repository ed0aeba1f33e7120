/** A hub on Fastify. */
import type { Server } from 'node:http'
import { fastify, type FastifyPluginCallback } from 'fastify'
import { subpathOf, type HubServer } from 'signalr-hub-server'

/**
 * A plugin for `app.register` that serves `hub` at `/hub`. It closes the hub before the server, so that clients
 * are notified.
 */
function hubPlugin(hub: HubServer): FastifyPluginCallback {
  return (scope, _options, done) => {
    // The hub reads bodies itself. This only affects these routes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, parsed) => parsed(null))
    for (const subpath of ['', '/negotiate'])
      scope.all(`/hub${subpath}`, (request, reply) => {
        reply.hijack()
        hub.answer(request.raw, reply.raw, subpath)
      })
    scope.server.on('upgrade', (request, socket, head) => {
      if (subpathOf(request.url, '/hub') === '') hub.upgrade(request, socket, head)
      else socket.destroy()
    })
    scope.addHook('preClose', () => hub.close())
    done()
  }
}

/** Serves the hub next to the application's routes. */
export async function mountOnFastify(hub: HubServer): Promise<Server> {
  const app = fastify()
  await app.register(hubPlugin(hub))
  app.get('/', () => 'Hello.')
  await app.ready()
  return app.server
}
