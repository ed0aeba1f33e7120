/** Configures Fastify: everything that every request passes before its route. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import multipart from '@fastify/multipart'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { BODIES_BYTES, CONNECTIONS_OF_NETWORK, JSON_BODY_BYTES } from '#contract/limits.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Door } from '#server/kernel/process/door.ts'
import { unsupported } from '#server/kernel/errors.ts'
import { normalizeForwarded } from '#server/kernel/http/address.ts'
import { collectAddresses } from '#server/kernel/http/addresses.ts'
import { createBodies } from '#server/kernel/http/bodies.ts'
import { createFormFiles } from '#server/kernel/http/form-files.ts'
import { createForms, type Forms } from '#server/kernel/http/forms.ts'
import { createHttpServer, limitConnections } from '#server/kernel/http/http-server.ts'
import { answerError, answerUnknownCall } from '#server/kernel/http/http.ts'
import type { SharedRate } from '#server/kernel/limits/rates.ts'
import { createLoads, type Loads } from '#server/kernel/limits/loads.ts'
import type { Log } from '#server/kernel/log.ts'
import { protect } from '#server/kernel/http/protection.ts'
import { logRequests, requestIdOf } from '#server/kernel/http/request-log.ts'
import { refuseMalformed } from '#server/kernel/http/raw-refusal.ts'

interface FrameworkOptions {
  /** Returns true when it has answered; the request then never reaches the framework. */
  readonly answerFirst: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Returns false for upgrades that are answered like ordinary requests. */
  readonly takesUpgrade: (request: IncomingMessage) => boolean
  /** Watches the servers, of which there are two for `localhost`. */
  readonly door: Door
  /** Limits the API calls of networks. */
  readonly calls: SharedRate
  /** Counts the requests that reach the framework. */
  readonly observe: (app: FastifyInstance) => void
}

interface Framework {
  readonly fastify: FastifyInstance
  readonly forms: Forms
  readonly loads: Loads
  /** All registered routes, such as `GET /api/lesson/{id}`. */
  readonly addresses: readonly string[]
}

/**
 * Creates the web server with log, limits, bodies, overload and errors. It has no routes yet and doesn't listen.
 */
export async function createFastify(
  config: Config,
  log: Log,
  { answerFirst, takesUpgrade, door, calls, observe }: FrameworkOptions,
): Promise<Framework> {
  const isLimited = config.RATE_LIMITS === 'on'
  const proxies = config.TRUST_PROXY
  const bodies = createBodies({ proxies, ...(isLimited && { each: BODIES_BYTES / 2 }) })
  const files = await createFormFiles(join(config.DATA_DIR, 'forms'))
  const fastify = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (_address, hop) => hop < proxies,
    bodyLimit: JSON_BODY_BYTES,
    clientErrorHandler: refuseMalformed,
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
    genReqId: (request) => requestIdOf(request, proxies),
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 300 },
    // Requests on open connections are answered normally while the process shuts down.
    return503OnClosing: false,
    serverFactory: (handler) => {
      const listener: RequestListener = (request, response) => {
        normalizeForwarded(request)
        bodies.watch(request, response)
        if (!answerFirst(request, response)) handler(request, response)
      }
      const server = createHttpServer(listener, undefined, takesUpgrade)
      // Behind a proxy all connections come from one address, so the proxy must limit them.
      if (isLimited && proxies === 0) limitConnections(server, CONNECTIONS_OF_NETWORK)
      door.watch(server)
      return server
    },
  })
  const addresses = collectAddresses(fastify)
  observe(fastify)
  logRequests(fastify)
  await protect(fastify, config, { calls })
  fastify.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  fastify.setNotFoundHandler((request, reply) => answerUnknownCall(request, reply))
  takeEmptyBodies(fastify)
  await fastify.register(multipart, { throwFileSizeLimit: false })
  fastify.addHook('onRequest', async (request) => {
    if (bodies.of(request.raw) !== undefined) bodies.refuseWhenFull()
  })
  // The framework would close the connection before the sender has read the reason (see bodies.ts).
  fastify.addHook('onSend', async (request, reply) => {
    if (!request.raw.complete) reply.removeHeader('connection')
  })
  const forms = createForms(bodies, files, isLimited)
  return { fastify, forms, loads: createLoads(config), addresses }
}

/** Treats an empty body as none, whatever type it claims. */
function takeEmptyBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async ({ headers }) => {
    const isEmpty = (headers['content-length'] ?? '0') === '0'
    if (isEmpty && headers['transfer-encoding'] === undefined) delete headers['content-type']
  })
  // A chunked body turns out to be empty only at its end.
  const parseJson = fastify.getDefaultJsonParser('error', 'error')
  const text = { parseAs: 'string' } as const
  fastify.removeContentTypeParser(['application/json', 'text/plain'])
  fastify.addContentTypeParser<string>('application/json', text, (request, body, done) => {
    if (body === '') done(null)
    else void parseJson(request, body, done)
  })
  fastify.addContentTypeParser<string>('*', text, (_request, body, done) => {
    done(body === '' ? null : unsupported())
  })
}
