/** What applies to every request: security headers, CORS, rate limits and overload. */
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { API_CALLS_A_MINUTE, REQUESTS_AT_ONCE } from '#contract/limits.ts'
import type { Config } from '#server/kernel/config.ts'
import { Refusal } from '#server/kernel/errors.ts'
import { Queue } from '#server/kernel/limits/queue.ts'
import { createRate, type SharedRate } from '#server/kernel/limits/rates.ts'
import { networkOf } from '#server/kernel/network.ts'

/** In ms. */
interface LagLimit {
  /** The lag of the event loop above which new requests are refused. */
  readonly most: number
  /** The period over which the lag is averaged. */
  readonly sample: number
}

interface ProtectionOptions {
  /** Limits the API calls of networks; by default in this process. */
  readonly calls?: SharedRate
  /** Tests set shorter times. */
  readonly lagLimit?: LagLimit
}

/** Two years in seconds, as for pages. */
const HSTS = { maxAge: 63_072_000, includeSubDomains: true }

const LAG_LIMIT: LagLimit = { most: 2000, sample: 1000 }

/** Headers of resumable uploads (tus 1.0). */
const TUS_REQUEST = ['tus-resumable', 'upload-length', 'upload-offset', 'upload-metadata']
const TUS_ANSWER = ['tus-resumable', 'upload-length', 'upload-offset', 'location', 'x-resource-url']

/**
 * Registers security headers, CORS for the configured origins and, unless RATE_LIMITS is off, the limit of API
 * calls per address and the refusal of calls while the process is overloaded.
 */
export async function protect(
  app: FastifyInstance,
  config: Pick<Config, 'CORS_ORIGINS' | 'RATE_LIMITS'> & Partial<Pick<Config, 'PUBLIC_URL'>>,
  { calls = createRate(API_CALLS_A_MINUTE), lagLimit = LAG_LIMIT }: ProtectionOptions = {},
): Promise<void> {
  // Applies to everything except pages, which have a policy of their own.
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginResourcePolicy: { policy: 'same-site' },
    strictTransportSecurity: config.PUBLIC_URL?.startsWith('https:') === true && HSTS,
  })
  await app.register(cors, {
    origin: config.CORS_ORIGINS,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'accept-language', ...TUS_REQUEST],
    exposedHeaders: ['x-session', 'x-total-count', 'retry-after', 'x-request-id', ...TUS_ANSWER],
    maxAge: 600,
    strictPreflight: false,
  })
  if (config.RATE_LIMITS === 'on') {
    const requests = new Queue(REQUESTS_AT_ONCE)
    app.addHook('onRequest', async (request, reply) => {
      const network = networkOf(request.ip)
      reply.raw.once('close', requests.take(network))
      // Uses the route, because an address can spell the same path in many ways.
      if (request.routeOptions.url?.startsWith('/api/') !== true) return
      const retryAfter = await calls.secondsToWait(network)
      if (retryAfter > 0) throw new Refusal(429, 'tooManyRequests', { retryAfter })
    })
    // Off together with the limits: tests and benchmarks that keep every core busy must not have their calls
    // refused.
    await refuseUnderPressure(app, lagLimit)
  }
}

/**
 * Refuses calls with 503 while the event loop lags. The lag of the start doesn't count, because loading the code
 * blocks the loop once; samples count only if they begin after the process listens.
 */
async function refuseUnderPressure(
  app: FastifyInstance,
  { most, sample }: LagLimit,
): Promise<void> {
  let countsFrom = Infinity
  app.addHook('onListen', async () => {
    countsFrom = performance.now() + 2 * sample
  })
  await app.register(underPressure, {
    maxEventLoopDelay: most,
    sampleInterval: sample,
    pressureHandler: async (_request, _reply, _type, lag) => {
      if (performance.now() < countsFrom) return
      const error = new Error(`the event loop lags by ${Math.round(lag ?? 0)} ms`)
      throw Object.assign(error, { code: 'FST_UNDER_PRESSURE' })
    },
  })
}
