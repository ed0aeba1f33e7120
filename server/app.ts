/** The composition root: the one file that names every folder. */
import { createServer } from 'node:http'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { ClientConfig } from 'pg'
import { connect, type Connection } from '#server/db/connect.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import { answerError, answerUnknownCall, registerRoutes } from '#server/kernel/http.ts'
import type { Log } from '#server/kernel/log.ts'
import type { Route } from '#server/kernel/call.ts'
import { JSON_BODY_BYTES } from '#contract/limits.ts'

export interface AppOptions {
  readonly config: Config
  readonly connection: ClientConfig
  /** The first signs, all verify. */
  readonly secrets: readonly string[]
  /** Origin of links, cookies and canonical addresses. */
  readonly publicUrl: string
  readonly clock: Clock
  readonly log: Log
  /** False serves the API alone, without a built web. */
  readonly pages: boolean
}

export interface App {
  readonly fastify: FastifyInstance
  readonly database: Connection
  /** Resolves with the address it listens on. */
  listen(port: number, host: string): Promise<string>
  /** Finishes what is under way, then lets go of everything. */
  close(): Promise<void>
}

export async function createApp(options: AppOptions): Promise<App> {
  const { config, log } = options
  const database = connect(options.connection, log, { prepare: config.DATABASE_PREPARE === '1' })
  const routes: Route[] = []
  const fastify = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    disableRequestLogging: true,
    trustProxy: (_address, hop) => hop < config.TRUST_PROXY,
    bodyLimit: JSON_BODY_BYTES,
    genReqId: () => crypto.randomUUID(),
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 300 },
    serverFactory: (handler) => createServer(handler),
  })
  await fastify.register(multipart, { throwFileSizeLimit: false })
  fastify.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  fastify.setNotFoundHandler((request, reply) => answerUnknownCall(request, reply))
  registerRoutes(fastify, routes, { viewerOfBearer: async () => null })
  void rateLimit
  return {
    fastify,
    database,
    listen: (port, host) => fastify.listen({ port, host }),
    close: async () => {
      await fastify.close()
      await database.close()
    },
  }
}
