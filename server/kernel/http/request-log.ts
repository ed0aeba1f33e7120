/**
 * Logs one line for each request: the route, the person and the result. The line contains nothing that somebody
 * typed.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'

interface Noted {
  /** The id of the signed-in person; absent for guests and where no code looked it up. */
  person?: string
  /** The key of the refusal. */
  refused?: string
}

const notes = new WeakMap<FastifyRequest, Noted>()

/** Adds facts to the log line of a request. */
export function noteRequest(request: FastifyRequest, noted: Noted): void {
  notes.set(request, { ...notes.get(request), ...noted })
}

/**
 * Letters, digits and the signs of UUIDs, ULIDs, trace ids and nginx's $request_id; nothing that a log would
 * interpret.
 */
const REQUEST_ID = /^[\w.:=+/-]{8,128}$/

/** Returns the id that a trusted proxy gave the request if it is well formed, or a new one. */
export function requestIdOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  proxies: number,
): string {
  const given = headers['x-request-id']
  const isKept = proxies > 0 && typeof given === 'string' && REQUEST_ID.test(given)
  return isKept ? given : crypto.randomUUID()
}

/** Logs the route's pattern instead of the URL, so no query strings, tokens or search texts. */
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
