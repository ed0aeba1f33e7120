/** Prometheus metrics on a port of their own. */
import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
  /** Pages answered from memory, before the framework. */
  readonly cachedPages: Counter
  /** Jobs that ran, by name and result. */
  readonly jobs: Counter<'name' | 'result'>
  /** Times every request that reaches the framework, by route and status. */
  observe(fastify: FastifyInstance): void
  /** Serves /metrics; resolves when it listens. */
  listen(port: number, host: string): Promise<Server>
}

/** The process's measurements for Prometheus, in a registry of its own: tests run several apps in one process. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const cachedPages = new Counter({
    name: 'pages_from_memory_total',
    help: 'Pages answered from memory',
    registers: [registry],
  })
  const jobs = new Counter({
    name: 'jobs_total',
    help: 'Jobs that ran, by name and result',
    labelNames: ['name', 'result'],
    registers: [registry],
  })
  const requests = new Histogram({
    name: 'http_request_seconds',
    help: 'Seconds a request took, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
    registers: [registry],
  })
  return {
    registry,
    cachedPages,
    jobs,
    observe: (fastify) => {
      fastify.addHook('onResponse', async (request, reply) => {
        const labels = {
          method: request.method,
          route: request.routeOptions.url ?? 'unknown',
          status: reply.statusCode,
        }
        requests.observe(labels, reply.elapsedTime / 1000)
      })
    },
    listen: async (port, host) => {
      const server = createServer((request, response) => {
        if (request.url !== '/metrics') {
          response.writeHead(404).end()
          return
        }
        registry.metrics().then(
          (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
          () => response.writeHead(500).end(),
        )
      })
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, resolve)
      })
      return server
    },
  }
}
