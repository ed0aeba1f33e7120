/** One line a request: what was asked, by whom, how it ended. Nothing that somebody typed. */
import type { FastifyInstance, FastifyRequest } from 'fastify'

interface Noted {
  /** The id of who asks; absent for guests, and where nobody needed to know. */
  person?: string
  /** The key of the refusal: why it was not done. */
  refused?: string
}

const notes = new WeakMap<FastifyRequest, Noted>()

/** Adds to the line of a request what only some know of it. */
export function noteRequest(request: FastifyRequest, noted: Noted): void {
  notes.set(request, { ...notes.get(request), ...noted })
}

/** By its route's pattern: no query strings, so no tokens and no search texts. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    request.log.info(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...notes.get(request),
      },
      'request',
    )
  })
}
