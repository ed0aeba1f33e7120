/** Joins what serves: core, calls, pages, hub and jobs. */
import type { ClientConfig } from 'pg'
import { openChat } from '#server/chat/chat.ts'
import { createCore, type Given } from '#server/core.ts'
import { connect, type Connection } from '#server/db/connect.ts'
import { openReplica, type Replica } from '#server/db/replica/replica.ts'
import { isStandby, STANDBY } from '#server/db/settings.ts'
import { createIdentity } from '#server/identity.ts'
import { JOBS_AT_ONCE, runJobsOnce, startWorker } from '#server/jobs/worker.ts'
import { createClosing, type Closable } from '#server/kernel/process/closing.ts'
import type { Core } from '#server/kernel/core.ts'
import { checkDisk } from '#server/kernel/process/disk.ts'
import { createDoor, type Patience } from '#server/kernel/process/door.ts'
import { createFastify } from '#server/kernel/http/framework.ts'
import { PartAway, registerHealth, type HealthPart } from '#server/kernel/process/health.ts'
import { targetOf } from '#server/kernel/http/http.ts'
import { watchParts } from '#server/measure.ts'
import { createMetrics, type Metrics } from '#server/kernel/metrics/metrics.ts'
import type { ViewCounter } from '#server/lessons/views.ts'
import { openBus } from '#server/nodes/bus.ts'
import { createHeartbeat } from '#server/nodes/heartbeat.ts'
import { createSharedCounts } from '#server/nodes/shared-counts.ts'
import type { NodesLink } from '#server/nodes/redis.ts'
import { mendAddress } from '#server/pages/address.ts'
import type { Pages } from '#server/pages/pages.ts'
import { registerPages } from '#server/pages/register.ts'
import type { Renderer } from '#server/pages/renderer.ts'
import { listRoutes, registerAddresses } from '#server/routes.ts'
import { listJobs } from '#server/work.ts'

export interface AppOptions extends Omit<Given, 'db'> {
  readonly connection: ClientConfig
  /** The same past a pooler, for the jobs. */
  readonly direct?: ClientConfig
  /** A streaming replica of it, for reads that may be a second old. */
  readonly replica?: ClientConfig | null
  /** A pooler stands before `connection`. */
  readonly pooled?: boolean
  /** Null serves the API alone, without pages. */
  readonly renderer: Renderer | null
  /** Connects this node with others; null for one alone. */
  readonly nodes?: NodesLink | null
}

export interface App {
  readonly core: Core
  readonly database: Connection
  readonly views: ViewCounter
  /** Runs the jobs that are due, where no worker does. */
  runJobs(): Promise<void>
  /** Resolves when it listens. */
  listen(port: number, host: string): Promise<void>
  listenMetrics(port: number, host: string): Promise<void>
  /** Serves as before, but says that it will not for long. */
  beginLeaving(): void
  /** Takes no new work, ends what is under way or, after a while, cuts it, then lets go of everything. */
  close(patience?: Patience): Promise<void>
}

/** Opens everything that serves, without listening yet. @throws what the file system or the database throws */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, log, renderer, connection, direct = connection, nodes = null } = options
  const prepare = config.DATABASE_PREPARE === '1'
  const metrics = createMetrics(log)
  const meter = metrics.database
  const database = connect(connection, log, { prepare, pooled: options.pooled ?? false, meter })
  // People wait for requests: jobs have longer limits and take none of their connections.
  const ofJobs = connect(direct, log, { work: 'jobs', size: JOBS_AT_ONCE, meter })
  const replica = openReplicaOf(options, database, metrics)
  const core = await createCore({ ...options, db: database.db }, { replica })
  const [identity, door] = [createIdentity(core), createDoor()]
  const chat = openChat(core, nodes, { ...identity, hubMessages: metrics.hubMessages })
  metrics.watchHub(chat.hub)
  const bus = await openBus(nodes?.link ?? null, { ...core, lag: metrics.busLag })
  watchParts(metrics, core, { requests: database, jobs: ofJobs })
  let pages: Pages | null = null
  const { fastify, forms, loads } = await createFastify(config, log, {
    door,
    counts: createSharedCounts(nodes?.link ?? null),
    // A guest's page that is the same for all never reaches the framework.
    answerFirst: (request, response) => {
      request.url = mendAddress(targetOf(request.url))
      return pages?.answerGuest(request, response) === true || chat.answer(request, response)
    },
    observe: (app) => metrics.observe(app),
  })
  chat.takeUpgrades(fastify.server)
  const heartbeat = createHeartbeat({ ...core, db: ofJobs.db }, selfOf(core, nodes))
  const parts = listParts(core, { database, replica, nodes })
  registerHealth(fastify, [...parts, heartbeat.part], door)
  const serving = { routes: listRoutes(core), forms, loads, metrics, ...identity }
  await registerAddresses(fastify, core, serving)
  if (renderer !== null) pages = await registerPages(fastify, core, { ...serving, renderer })
  const work = { connection: direct, jobs: listJobs({ ...core, db: ofJobs.db }), log, metrics }
  const worker = config.JOBS === 'here' ? await startWorker(work) : null
  const afterwards: Closable[] = [chat, fastify, core.views, bus, ...(replica ? [replica] : [])]
  afterwards.push(heartbeat, database, ofJobs, core.storage)
  return {
    core,
    database,
    views: core.views,
    runJobs: () => runJobsOnce(database.pool, work.jobs, log),
    listen: async (port, host) => {
      await heartbeat.start()
      await fastify.listen({ port, host })
    },
    listenMetrics: async (port, host) => {
      afterwards.push(await metrics.listen(port, host))
    },
    beginLeaving: () => door.beginLeaving(),
    close: createClosing({
      door,
      log,
      underWay: [(ms) => chat.hub.drain(ms), (ms) => worker?.stop(ms)],
      afterwards,
    }),
  }
}

function openReplicaOf(
  options: AppOptions,
  connection: Connection,
  metrics: Metrics,
): Replica | null {
  const { replica: settings = null, connection: primary, config, log, pooled = false } = options
  if (settings === null) return null
  const prepare = config.DATABASE_PREPARE === '1'
  const replica = openReplica(
    { settings, primary, connection },
    { log, prepare, pooled, meter: metrics.database, onLag: (lag) => metrics.replicaLag.set(lag) },
  )
  metrics.watchPool('replica', replica.pool)
  return replica
}

/** @throws PartAway when the server takes no writes; what the database throws */
async function checkDatabase(pool: Connection['pool']): Promise<void> {
  if (!(await isStandby(pool))) return
  pool.renew()
  throw new PartAway(STANDBY)
}

/** As other processes at the same database know this one. */
const selfOf = ({ publicUrl }: Core, nodes: NodesLink | null) =>
  ({ role: 'serves', url: nodes?.nodeUrl ?? publicUrl }) as const

/** What else `/readyz` asks for. */
interface Joined {
  readonly database: Connection
  readonly replica: Replica | null
  readonly nodes: NodesLink | null
}

/** What `/readyz` asks for. */
function listParts({ storage, config }: Core, { database, replica, nodes }: Joined): HealthPart[] {
  return [
    { name: 'database', needed: true, check: () => checkDatabase(database.pool) },
    // With a full disk the site goes on reading, and without S3 all but its files.
    { name: storage.place, needed: false, check: () => storage.check() },
    { name: 'data-disk', needed: false, check: () => checkDisk(config.DATA_DIR) },
    // Without it all is read from the primary.
    ...(replica === null ? [] : [{ name: 'replica', needed: false, check: () => replica.check() }]),
    ...(nodes === null ? [] : [nodes.part]),
  ]
}
