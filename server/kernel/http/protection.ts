/** What every answer and every caller is subject to: headers, foreign pages, rates, overload, the request log. */
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { REQUESTS_AT_ONCE } from '#contract/limits.ts'
import type { Config } from '#server/kernel/config.ts'
import { Refusal } from '#server/kernel/errors.ts'
import { networkOf } from '#server/kernel/network.ts'
import { createPlaces } from '#server/kernel/queues/places.ts'

/** Calls a minute from one address; a person clicking fast stays far below. */
const CALLS_A_MINUTE = 1200
/** Milliseconds. */
interface LagLimit {
  /** By how much the event loop may lag before new requests are asked to come back. */
  readonly most: number
  /** Over how long the lag is averaged. */
  readonly sample: number
}

interface ProtectionOptions {
  /** Counts the calls of addresses; in this process unless given. */
  readonly counts?: FastifyRateLimitStoreCtor | undefined
  /** Shorter in tests. */
  readonly lagLimit?: LagLimit
}

/** Two years, as for pages. */
const HSTS = { maxAge: 63_072_000, includeSubDomains: true }

const LAG_LIMIT: LagLimit = { most: 2000, sample: 1000 }

/** Headers of resumable uploads (tus 1.0). */
const TUS_REQUEST = ['tus-resumable', 'upload-length', 'upload-offset', 'upload-metadata']
const TUS_ANSWER = ['tus-resumable', 'upload-length', 'upload-offset', 'location', 'x-resource-url']

/**
 * Registers security headers, CORS for the origins of the settings, and, unless RATE_LIMITS is off, the limit of API
 * calls per address and the refusal of calls while the process is overloaded.
 */
export async function protect(
  app: FastifyInstance,
  config: Pick<Config, 'CORS_ORIGINS' | 'RATE_LIMITS'> & Partial<Pick<Config, 'PUBLIC_URL'>>,
  { counts, lagLimit = LAG_LIMIT }: ProtectionOptions = {},
): Promise<void> {
  // For everything that is no page; pages bring a policy of their own.
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
    const places = createPlaces({ each: REQUESTS_AT_ONCE })
    app.addHook('onRequest', async (request, reply) => {
      reply.raw.once('close', places.take(networkOf(request.ip)))
    })
    await app.register(rateLimit, {
      max: CALLS_A_MINUTE,
      timeWindow: '1 minute',
      keyGenerator: (request) => networkOf(request.ip),
      ...(counts !== undefined && { store: counts }),
      // By the route: an address can spell the same path in many ways.
      allowList: (request) => request.routeOptions.url?.startsWith('/api/') !== true,
      errorResponseBuilder: (_request, context) =>
        new Refusal(429, 'tooManyRequests', { retryAfter: Math.ceil(context.ttl / 1000) }),
    })
    // With the limits: a test or a benchmark that keeps every core busy is no reason to send its calls away.
    await refuseUnderPressure(app, lagLimit)
  }
}

/**
 * Refuses calls with 503 while the event loop lags. The lag of the start counts for nobody: a process loads its code in
 * one go, and its first visitors would be sent away for what is over. So samples count from the first on that begins
 * after it listens.
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
