/** Starts a whole cluster on one machine, part by part, and stops all of it together. */
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { createDatabase } from './database.ts'
import { addressOf, openNetwork, planNetwork } from './network.ts'
import { startPart, type Part, type PartPlan, type Site } from './part.ts'
import { etcd } from './parts/etcd.ts'
import { haproxy, PROXY, STATS_PORT } from './parts/haproxy.ts'
import { nginx, siteAddress } from './parts/nginx.ts'
import { patroni } from './parts/patroni.ts'
import { databaseAddresses, knowsStatements, pgbouncer } from './parts/pgbouncer.ts'
import { metricsAddress, node, nodeAddress, worker } from './parts/product.ts'
import { prometheus } from './parts/prometheus.ts'
import { redis, redisAddress, sentinel } from './parts/redis.ts'
import { bucketAddress, s3 } from './parts/s3.ts'
import { hasPrometheus } from './packages.ts'
import { FOLDER, writePicture, type Picture } from './picture.ts'
import { startWatchdog } from './watchdog.ts'

export interface ClusterOptions {
  readonly nodes: number
  readonly workers: number
  readonly databases: number
  /** Uses no namespaces, even if they are permitted. */
  readonly onLoopback: boolean
  /** Overrides settings of nodes and workers. */
  readonly environment?: Readonly<Record<string, string>>
  readonly say: (line: string) => void
}

export interface Cluster {
  readonly site: Site
  readonly url: string
  readonly parts: ReadonlyMap<string, Part>
  picture(): Picture
  /** Stops everything and removes its folder. May be called repeatedly, and during the start. */
  stop(): Promise<void>
}

const names = (kind: string, count: number) =>
  Array.from({ length: count }, (_, place) => `${kind}${place + 1}`)

/**
 * Starts everything, or stops it again if a part fails. The site responds when this returns. `opened` receives the
 * stop function before anything runs.
 * @throws Error with the end of the failed part's log
 */
export async function startCluster(
  options: ClusterOptions,
  opened: (stop: () => Promise<void>) => void = () => undefined,
): Promise<Cluster> {
  const { say } = options
  const nodes = names('node', options.nodes)
  const workers = names('worker', options.workers)
  const databases = names('pg', options.databases)
  const hosts = [
    'balancer',
    ...nodes,
    ...workers,
    PROXY,
    ...databases,
    'etcd',
    'redis1',
    'redis2',
    's3',
    ...(hasPrometheus() ? ['prometheus'] : []),
  ]
  const folder = await mkdtemp(FOLDER)
  // Servers that run as other users need to pass through it.
  await chmod(folder, 0o711)
  await mkdir(join(folder, 'off'))
  const network = planNetwork(hosts, options.onLoopback)
  const watchdog = startWatchdog(folder, network.kind === 'namespaces' ? network.mark : null)
  const site: Site = { folder, network, password: randomBytes(16).toString('hex') }
  const parts = new Map<string, Part>()
  const order: string[] = []
  let isEnding = false
  const picture = (): Picture => ({
    folder,
    pid: process.pid,
    url: siteAddress(site),
    password: site.password,
    network,
    parts: order.flatMap((name) => {
      const part = parts.get(name)
      if (part === undefined) return []
      const { host, what, address } = part.plan
      return [{ name, host, what, address, pid: part.pid }]
    }),
  })
  const changed = () => {
    if (!isEnding) writePicture(picture())
  }
  const start = async (...plans: readonly (PartPlan | null)[]) => {
    const due = plans.filter((plan) => plan !== null)
    order.push(...due.map(({ name }) => name))
    await Promise.all(
      due.map(async (plan) => {
        if (isEnding) throw new Error('the cluster is being ended')
        const started = performance.now()
        parts.set(plan.name, await startPart(site, plan, { say, changed, isOver: () => isEnding }))
        say(`  ${plan.name} is ready (${((performance.now() - started) / 1000).toFixed(1)} s)`)
      }),
    )
    changed()
  }
  let ended: Promise<void> | undefined
  const stop = () => {
    isEnding = true
    ended ??= endAll([...parts.values()]).finally(() => watchdog.end())
    return ended
  }
  opened(stop)
  try {
    openNetwork(network)
    await start(etcd(site), redis(site, 'redis1', null), s3(site))
    await start(
      ...databases.map((name) => patroni(site, name)),
      redis(site, 'redis2', 'redis1'),
      haproxy(site, databases),
    )
    await createDatabase(site)
    await start(
      pgbouncer(site),
      ...Array.from(SENTINELS, ([name, host]) => sentinel(site, name, host, 'redis1')),
    )
    const environment = { ...settings(site), ...options.environment }
    await start(...nodes.map((name) => node(site, name, environment)))
    await start(
      ...workers.map((name) => worker(site, name, environment)),
      nginx(
        site,
        nodes.map((name) => nodeAddress(site, name)),
      ),
      hasPrometheus() ? prometheus(site, targets(site, nodes, databases)) : null,
    )
  } catch (error) {
    await stop()
    throw error
  }
  return { site, url: siteAddress(site), parts, picture, stop }
}

/** Sentinels and their hosts. The third one runs on a host without Redis. */
const SENTINELS = new Map([
  ['sentinel1', 'redis1'],
  ['sentinel2', 'redis2'],
  ['sentinel3', 'etcd'],
])

/** Stops the product gracefully; the watchdog kills the rest. */
async function endAll(parts: readonly Part[]): Promise<void> {
  await Promise.allSettled(
    parts.filter(({ plan }) => plan.isAsked).map((part) => part.stop('SIGINT')),
  )
}

function settings(site: Site): Record<string, string> {
  const { pooled, pooledReplicas, direct } = databaseAddresses(site)
  return {
    DATABASE_URL: pooled,
    DATABASE_DIRECT_URL: direct,
    DATABASE_REPLICA_URL: pooledReplicas,
    DATABASE_PREPARE: knowsStatements() ? '1' : '0',
    REDIS_URL: redisAddress(site, [...SENTINELS.values()]),
    S3_URL: bucketAddress(site),
    AUTH_SECRETS: randomBytes(32).toString('hex'),
    PUBLIC_URL: siteAddress(site),
    TRUST_PROXY: '1',
    JOBS: 'elsewhere',
    DRAIN_SECONDS: '2',
    LOG_LEVEL: 'warn',
  }
}

function targets(site: Site, nodes: readonly string[], databases: readonly string[]) {
  const of = (host: string, port: number) => `${addressOf(site.network, host)}:${port}`
  return {
    bazaar: nodes.map((name) => metricsAddress(site, name)),
    haproxy: [of(PROXY, STATS_PORT)],
    patroni: databases.map((name) => of(name, 8008)),
    etcd: [of('etcd', 2379)],
  }
}
