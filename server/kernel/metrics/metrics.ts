/**
 * Metrics for Prometheus. Every label has few values, all known to the code: a route's pattern or a kind of job,
 * never an address, an id or a person's words. docs/operations.md lists the names, and the dashboard and the
 * alerts in deploy/ use them.
 */
import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { measureStored, type StoredSources } from '#server/kernel/metrics/stored.ts'
import {
  measureDatabase,
  type DatabaseMetrics,
  type PoolState,
} from '#server/kernel/metrics/database.ts'
import { createTally, type Tally } from '#server/kernel/metrics/tally.ts'
import { watchDisks } from '#server/kernel/metrics/disks.ts'
import type { Log } from '#server/kernel/log.ts'
import type { Answerer } from '#server/kernel/process/health.ts'

export interface Metrics {
  readonly registry: Registry
  /** Pages for guests that may come from memory, by page and result. */
  readonly pageCache: Tally<'page' | 'result'>
  readonly jobs: Counter<'name' | 'result'>
  readonly jobSeconds: Histogram<'name'>
  /** Messages of the hub's protocol on this node without pings, by direction. */
  readonly hubMessages: Tally<'direction'>
  /** Seconds by which changes of other nodes arrive late. The subscriber of the bus sets it. */
  readonly busLag: Gauge
  /** Seconds by which the database's replica lags. The reader of the replica sets it. */
  readonly replicaLag: Gauge
  readonly database: DatabaseMetrics
  watchPool(name: string, pool: PoolState): void
  watchHub(hub: { size(): number }): void
  watchDisks(folders: Readonly<Record<string, string>>): void
  /** Shows waiting jobs and mails; queries the database at most every ten seconds. */
  watchStored(sources: StoredSources): void
  /** Times every request that reaches the framework, by route and class of status. */
  observe(fastify: FastifyInstance): void
  /** Serves /metrics and resolves when it listens. @throws errors of listening */
  listen(port: number, host: string, answerFirst?: Answerer): Promise<Server>
}

const REQUEST_SECONDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]
const JOB_SECONDS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60]
/** In ms: a client that reads its answer or sends its request more slowly is cut off. */
const READER_MS = 10_000

/** Uses a registry of its own because tests run several apps in one process. */
export function createMetrics(log: Pick<Log, 'warn'>): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'bazaar_http_request_seconds',
    help: 'Seconds a request took, by method, route and class of status',
    labelNames: ['method', 'route', 'class'],
    buckets: REQUEST_SECONDS,
    registers,
  })
  return {
    registry,
    pageCache: createTally(registry, {
      name: 'bazaar_page_cache_requests_total',
      help: 'Requests of guests for pages that are the same for all, by page and result (hit, miss)',
      labelNames: ['page', 'result'],
    }),
    jobs: new Counter({
      name: 'bazaar_jobs_total',
      help: 'Jobs that ran, by name and result',
      labelNames: ['name', 'result'],
      registers,
    }),
    jobSeconds: new Histogram({
      name: 'bazaar_job_seconds',
      help: 'Seconds a job took, by name',
      labelNames: ['name'],
      buckets: JOB_SECONDS,
      registers,
    }),
    hubMessages: createTally(registry, {
      name: 'bazaar_hub_messages_total',
      help: 'Messages of the hub, pings left out, by direction (in, out)',
      labelNames: ['direction'],
    }),
    busLag: lazyGauge(
      registry,
      'bazaar_bus_lag_seconds',
      'Seconds by which changes on other nodes arrive late; absent with one node',
    ),
    replicaLag: lazyGauge(
      registry,
      'bazaar_db_replica_lag_seconds',
      'Seconds that the replica is behind; absent without one',
    ),
    database: measureDatabase(registry, log),
    watchPool: poolWatcher(registry),
    watchHub: (hub) => watchHub(registry, hub),
    watchDisks: (folders) => watchDisks(registry, folders),
    watchStored: (sources) => measureStored(registry, sources, log),
    observe: (fastify) => {
      fastify.addHook('onResponse', async (request, reply) => {
        const labels = {
          method: request.method,
          route: request.routeOptions.url ?? 'unknown',
          class: `${Math.floor(reply.statusCode / 100)}xx`,
        }
        requests.observe(labels, reply.elapsedTime / 1000)
      })
    },
    listen: (port, host, answerFirst) => listen(registry, port, host, answerFirst),
  }
}

/** Creates a gauge that shows nothing until it is set: a lag of zero would be a claim. */
function lazyGauge(registry: Registry, name: string, help: string): Gauge {
  const gauge = new Gauge({ name, help, registers: [registry] })
  gauge.remove()
  return gauge
}

/** Uses one set of gauges for all pools. */
function poolWatcher(registry: Registry): Metrics['watchPool'] {
  const pools = new Map<string, PoolState>()
  const registers = [registry]
  const show = (name: string, help: string, of: (pool: PoolState) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers,
      collect() {
        for (const [pool, state] of pools) this.set({ pool }, of(state))
      },
    })
  show(
    'bazaar_db_pool_size',
    'Connections to the database that the pool may hold',
    (pool) => pool.options.max ?? 0,
  )
  show(
    'bazaar_db_pool_open',
    'Connections to the database that are open',
    (pool) => pool.totalCount,
  )
  show(
    'bazaar_db_pool_in_use',
    'Connections to the database that are at work',
    (pool) => pool.totalCount - pool.idleCount,
  )
  show(
    'bazaar_db_pool_waiting',
    'Who waits for a connection to the database',
    (pool) => pool.waitingCount,
  )
  return (name, pool) => void pools.set(name, pool)
}

function watchHub(registry: Registry, hub: { size(): number }): void {
  new Gauge({
    name: 'bazaar_hub_connections',
    help: 'Connections of the hub on this node',
    registers: [registry],
    collect() {
      this.set(hub.size())
    },
  })
}

async function listen(
  registry: Registry,
  port: number,
  host: string,
  answerFirst?: Answerer,
): Promise<Server> {
  const server = createServer({ requestTimeout: READER_MS }, (request, response) => {
    response.setTimeout(READER_MS, () => response.destroy())
    if (answerFirst?.(request, response) === true) return
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
}
