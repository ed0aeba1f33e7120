/** Assembles a serving process: core, calls, pages, hub and jobs. */
import type { ClientConfig } from 'pg'
import { API_CALLS_A_MINUTE } from '#contract/limits.ts'
import { openChat, type Chat } from '#server/community/chat/chat.ts'
import { createCore, type Given } from '#server/core.ts'
import { connect, type Connection } from '#server/platform/db/connect.ts'
import { openReplica, type Replica } from '#server/platform/db/replica/replica.ts'
import { createIdentity } from '#server/people/accounts/sessions/identity.ts'
import { JOBS_AT_ONCE, runJobsOnce, startWorker } from '#server/platform/jobs/worker.ts'
import { createClosing, type Closable } from '#server/kernel/process/closing.ts'
import type { Core } from '#server/platform/core/core.ts'
import { followSettings } from '#server/platform/core/settings.ts'
import { createDoor, type Patience } from '#server/kernel/process/door.ts'
import { createFastify } from '#server/kernel/http/framework.ts'
import { registerHealth } from '#server/kernel/process/health.ts'
import { targetOf } from '#server/kernel/http/http.ts'
import { openMeasures, watchParts, type Measures } from '#server/measure.ts'
import type { ViewCounter } from '#server/items/lessons/views.ts'
import { startDispatching } from '#server/platform/events/dispatching.ts'
import { startNoticing } from '#server/community/notices/live.ts'
import { joinNodes } from '#server/platform/nodes/join.ts'
import { createSharedRate } from '#server/platform/nodes/shared-rate.ts'
import type { NodesLink } from '#server/platform/nodes/redis.ts'
import { escapeAddress } from '#server/pages/address.ts'
import type { Pages } from '#server/pages/pages.ts'
import { registerPages } from '#server/pages/register.ts'
import type { Renderer } from '#server/pages/renderer.ts'
import { listParts } from '#server/parts.ts'
import { listRoutes, registerAddresses } from '#server/routes.ts'
import { listJobs, listSubscribers } from '#server/work.ts'

export interface AppOptions extends Omit<Given, 'db'> {
  readonly connection: ClientConfig
  /** Bypasses a pooler, for the jobs. */
  readonly direct?: ClientConfig
  /** A streaming replica for reads that may be a second old. */
  readonly replica?: ClientConfig | null
  /** `connection` goes through a pooler. */
  readonly pooled?: boolean
  /** Null serves only the API, without pages. */
  readonly renderer: Renderer | null
  /** Connects this node with others; null for a single node. */
  readonly nodes?: NodesLink | null
}

export interface App {
  readonly core: Core
  readonly database: Connection
  readonly views: ViewCounter
  /** All routes once it listens, such as `GET /api/lesson/{id}`, without the hub's methods. */
  readonly addresses: () => readonly string[]
  /** Runs the due jobs if no worker does. */
  runJobs(): Promise<void>
  /** `socket` is the descriptor of a socket that listens already; then the port is only for links. */
  listen(port: number, host: string, socket?: number | null): Promise<void>
  listenMetrics(port: number, host: string): Promise<void>
  /** Keeps serving, but announces that it will stop soon. */
  beginLeaving(): void
  /** Takes no new work, ends running work or cuts it off after a while, then closes everything. */
  close(patience?: Patience): Promise<void>
}

/** Opens everything without listening yet. @throws errors of the file system or the database */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, log, renderer, connection, direct = connection, nodes = null } = options
  const prepare = config.DATABASE_PREPARE === '1'
  const measures = await openMeasures(config, log)
  const { metrics, traces, meter } = measures
  const database = connect(connection, log, { prepare, pooled: options.pooled ?? false, meter })
  // Jobs have longer timeouts and a pool of their own, so that requests never wait for them.
  const ofJobs = connect(direct, log, { work: 'jobs', size: JOBS_AT_ONCE, meter })
  const replica = openReplicaOf(options, database, measures)
  const core = await createCore({ ...options, db: database.db }, { replica })
  const [identity, door, db] = [createIdentity(core), createDoor(), ofJobs.db]
  const chat = openChat(core, nodes, { ...identity, ...measures.ofHub })
  metrics.watchHub(chat.hub)
  const joined = await joinNodes(core, { role: 'serves', nodes, db, lag: metrics.busLag })
  watchParts(metrics, core, { requests: database, jobs: ofJobs })
  let pages: Pages | null = null
  const { fastify, forms, loads, addresses } = await createFastify(config, log, {
    door,
    calls: createSharedRate(API_CALLS_A_MINUTE, nodes?.link ?? null),
    // A guest's page that is the same for all guests bypasses the framework.
    answerFirst: (request, response) => {
      request.url = escapeAddress(targetOf(request.url))
      return pages?.answerGuest(request, response) === true || chat.answer(request, response)
    },
    takesUpgrade: (request) => chat.takesUpgrade(request),
    observe: (app) => measures.observe(app),
  })
  chat.takeUpgrades(fastify.server)
  const parts = listParts(core, { database, replica, joined, traces })
  registerHealth(fastify, parts, door)
  const routes = traces.traceCalls(listRoutes(core, parts))
  const serving = { routes, forms, loads, metrics, ...identity }
  await registerAddresses(fastify, core, serving)
  if (renderer !== null) pages = await registerPages(fastify, core, { ...serving, renderer })
  const jobs = traces.traceJobs(listJobs({ ...core, db }))
  const work = { connection: direct, jobs, log, metrics }
  const worker = config.JOBS === 'here' ? await startWorker(work) : null
  const afterwards: Closable[] = [chat, fastify, core.views, joined]
  afterwards.push(...(replica ? [replica] : []), database, ofJobs, core.storage, traces)
  return {
    core,
    database,
    views: core.views,
    addresses: () => [...addresses, ...chat.addresses],
    runJobs: () => runJobsOnce(database.pool, work.jobs, log),
    listen: async (port, host, socket = null) => {
      await joined.start()
      afterwards.unshift(...startTelling({ ...core, db }, chat.hub, nodes !== null))
      await fastify.listen({ port, host, ...(socket !== null && { fd: socket }) })
    },
    listenMetrics: async (port, host) => void afterwards.push(await metrics.listen(port, host)),
    beginLeaving: () => door.beginLeaving(),
    close: createClosing({
      door,
      log,
      underWay: [(ms) => chat.hub.drain(ms), (ms) => worker?.stop(ms)],
      afterwards,
    }),
  }
}

/** Passes events on, and the news to connected people, and looks for changed settings. */
const startTelling = (core: Core, hub: Chat['hub'], hasBus: boolean): Closable[] => [
  startDispatching(core, listSubscribers(core)),
  startNoticing(core, hub, hasBus),
  followSettings(core.settings, core.log),
]

function openReplicaOf(
  options: AppOptions,
  connection: Connection,
  { metrics, meter }: Measures,
): Replica | null {
  const { replica: settings = null, connection: primary, config, log, pooled = false } = options
  if (settings === null) return null
  const prepare = config.DATABASE_PREPARE === '1'
  const replica = openReplica(
    { settings, primary, connection },
    { log, prepare, pooled, meter, onLag: (lag) => metrics.replicaLag.set(lag) },
  )
  metrics.watchPool('replica', replica.pool)
  return replica
}
