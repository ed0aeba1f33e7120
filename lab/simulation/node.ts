/** A process of the product within a simulation: a core, its calls and its jobs. */
import type { ClientConfig } from 'pg'
import type { AnswerOf, Endpoint } from '#contract/endpoint.ts'
import type { CallContext, Viewer } from '#server/kernel/call.ts'
import { readConfig } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import { readStoredSettings, type StoredSettings } from '#server/platform/core/settings.ts'
import { resolveSettings } from '#server/kernel/settings/site-settings.ts'
import { createCore } from '#server/core.ts'
import type { Core } from '#server/platform/core/core.ts'
import { connect, type Connection } from '#server/platform/db/connect.ts'
import type { Job } from '#server/platform/jobs/job.ts'
import { listRoutes } from '#server/routes.ts'
import { listJobs } from '#server/work.ts'

export interface Node {
  readonly name: string
  readonly core: Core
  readonly database: Connection
  /** Changes what it knows of them, as a restart does. */
  setSettings(stored: StoredSettings): void
  readonly settingsVersion: number
  /** By name. */
  readonly jobs: ReadonlyMap<string, Job>
  /** Makes a call as a person, or as a guest (null). @throws what the product throws */
  call<E extends Endpoint>(endpoint: E, viewer: Viewer | null, input: object): Promise<AnswerOf<E>>
  close(): Promise<void>
}

export interface NodeOptions {
  readonly name: string
  readonly connection: ClientConfig
  /** Connections to the database. */
  readonly size: number
  readonly dataDir: string
  readonly now: () => Date
  readonly log: Log
  /** The settings at its start, because it begins without a statement. */
  readonly stored: StoredSettings
}

const SECRET = 'the secret of a simulated product'

/** Opens a node. It listens on no port and starts no timers. */
export async function openNode(options: NodeOptions): Promise<Node> {
  const { name, connection, size, dataDir, now, log } = options
  // Without timeouts, because they would pass in real time.
  const database = connect(connection, log, { work: 'migrations', size, connectMs: 0 })
  const config = readConfig({
    DATA_DIR: dataDir,
    DEMO: '0',
    VIDEO_CHECK_URL: '',
    LESSON_ON_TRUST: '1',
  })
  const publicUrl = 'https://bazaar.example'
  const given = { db: database.db, clock: { now }, config, log, publicUrl }
  let stored = options.stored
  const settings = {
    get current() {
      return resolveSettings(config.settings, stored.texts).settings
    },
    rejected: {},
    reload: async () => {
      stored = await readStoredSettings(database.db)
    },
  }
  const core = await createCore({ ...given, secrets: [SECRET] }, { settings })
  core.events.subscribe((event, origin) => {
    if (event.type === 'settings.changed' && origin === 'elsewhere')
      void settings.reload().catch(() => undefined)
  })
  // Kysely prepares itself at its first connection, so the first statement of a node would be later than others.
  await database.db.connection().execute(() => Promise.resolve())
  const routes = new Map(listRoutes(core, []).map((each) => [each.endpoint, each]))
  return {
    name,
    core,
    database,
    setSettings: (given) => {
      stored = given
    },
    get settingsVersion() {
      return stored.version
    },
    jobs: new Map(listJobs(core).map((each) => [each.name, each])),
    call: async (endpoint, viewer, input) => {
      const answer = await routes.get(endpoint)?.run(contextOf(viewer), input)
      return answer as AnswerOf<typeof endpoint>
    },
    close: async () => {
      await database.close()
      // It has nothing to write.
      await core.views.close()
      core.storage.close()
    },
  }
}

const contextOf = (viewer: Viewer | null): CallContext => ({
  viewer,
  locale: 'en',
  address: '192.0.2.1',
  agent: 'simulation',
  method: 'POST',
  origin: undefined,
  host: 'bazaar.example',
  cookies: {},
  countsView: false,
  signal: new AbortController().signal,
  setHeader: () => undefined,
})
