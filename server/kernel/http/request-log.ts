/** One line a request: what was asked, by whom, how it ended. Nothing that somebody typed. */
import type { IncomingMessage } from 'node:http'
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

/** Letters, digits and the signs of UUIDs, ULIDs, trace ids and nginx's $request_id; nothing that a log would read. */
const REQUEST_ID = /^[\w.:=+/-]{8,128}$/

/** The id that a trusted proxy gave the request, if it is well formed; else a new one. */
export function requestIdOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  proxies: number,
): string {
  const given = headers['x-request-id']
  const isKept = proxies > 0 && typeof given === 'string' && REQUEST_ID.test(given)
  return isKept ? given : crypto.randomUUID()
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
