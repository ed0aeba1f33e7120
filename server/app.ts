/** The composition root: the one file that names every folder. */
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { ClientConfig } from 'pg'
import { files } from '#contract/files.schemas.ts'
import { cookieName } from '#server/accounts/sessions/cookie.ts'
import { createLinkSecrets } from '#server/accounts/mails/links.ts'
import { accountRoutes } from '#server/accounts/routes.ts'
import { findLiveSessions } from '#server/accounts/sessions/sessions.ts'
import { createTokens, deriveKey } from '#server/accounts/sessions/tokens.ts'
import { registerUnsubscribe, unsubscribeRoutes } from '#server/accounts/mails/unsubscribe.ts'
import { connect, type Connection, type Tx } from '#server/db/connect.ts'
import { createPictures } from '#server/files/pictures.ts'
import type { DemoNeeds } from '#server/demo/demo.ts'
import { registerFiles } from '#server/files/routes.ts'
import { createDiskStorage } from '#server/files/storage.ts'
import { createIdentity } from '#server/identity.ts'
import { jobRoutes } from '#server/jobs/routes.ts'
import { JOBS_AT_ONCE, runJobsOnce, startWorker } from '#server/jobs/worker.ts'
import type { Route } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import { checkDisk } from '#server/kernel/process/disk.ts'
import { createClosing, type Closable } from '#server/kernel/process/closing.ts'
import { createDoor, type Patience } from '#server/kernel/process/door.ts'
import { createFastify } from '#server/kernel/http/framework.ts'
import { registerHealth } from '#server/kernel/process/health.ts'
import { registerRoutes, targetOf } from '#server/kernel/http/http.ts'
import type { Log } from '#server/kernel/log.ts'
import { siteNames } from '#server/kernel/site.ts'
import { createMetrics } from '#server/kernel/process/metrics.ts'
import { registerWholeLists } from '#server/kernel/http/whole-lists.ts'
import { describeRoutes } from '#server/kernel/http/openapi.ts'
import { createChat } from '#server/chat/chat.ts'
import type { Meeting } from '#server/chat/meeting.ts'
import { contactRoutes } from '#server/contact/routes.ts'
import { commentRoutes } from '#server/comments/routes.ts'
import { allCourses } from '#server/courses/list.ts'
import { courseRoutes } from '#server/courses/routes.ts'
import { maySeeLesson } from '#server/lessons/details.ts'
import { lessonRoutes } from '#server/lessons/routes.ts'
import { registerDevMail } from '#server/mail/dev.ts'
import { mailRoutes } from '#server/mail/routes.ts'
import { logAct } from '#server/moderation/log.ts'
import { moderationRoutes } from '#server/moderation/routes.ts'
import { flagRoutes } from '#server/flags/routes.ts'
import { likeRoutes } from '#server/likes/routes.ts'
import { allLessons } from '#server/lessons/list.ts'
import { createViewCounter, type ViewCounter } from '#server/lessons/views.ts'
import { createJudge } from '#server/opinion/opinion.ts'
import type { Pages } from '#server/pages/pages.ts'
import { mendAddress } from '#server/pages/address.ts'
import { registerPages } from '#server/pages/register.ts'
import type { Renderer } from '#server/pages/renderer.ts'
import { allPeople } from '#server/profiles/people.ts'
import { profileRoutes } from '#server/profiles/routes.ts'
import { welcomePerson } from '#server/points/ledger.ts'
import { pointRoutes } from '#server/points/routes.ts'
import { purchaseRoutes } from '#server/purchases/routes.ts'
import { erasureRoutes, removalRoutes } from '#server/removal/routes.ts'
import { searchRoutes } from '#server/search/routes.ts'
import { createHandlers, EVERY_MINUTE } from '#server/work.ts'

export interface AppOptions {
  readonly config: Config
  readonly connection: ClientConfig
  /** The same past a pooler, for the jobs. */
  readonly direct?: ClientConfig
  /** A pooler stands before `connection`. */
  readonly pooled?: boolean
  /** The first signs, all verify. */
  readonly secrets: readonly string[]
  /** Origin of links, cookies and canonical addresses. */
  readonly publicUrl: string
  readonly clock: Clock
  readonly log: Log
  /** Null serves the API alone, without pages. */
  readonly renderer: Renderer | null
  /** Where the hub meets other nodes; null for one alone. */
  readonly meeting?: Meeting | null
}

export interface App {
  readonly fastify: FastifyInstance
  readonly database: Connection
  readonly views: ViewCounter
  /** What the demo content is made with. */
  readonly demo: Pick<DemoNeeds, 'db' | 'clock' | 'storePicture' | 'afterRegistration'>
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

export async function createApp(options: AppOptions): Promise<App> {
  const { config, clock, log, publicUrl } = options
  const database = connect(options.connection, log, {
    prepare: config.DATABASE_PREPARE === '1',
    pooled: options.pooled ?? false,
  })
  const { db, pool } = database
  const direct = options.direct ?? options.connection
  // People wait for requests: jobs have longer limits and take none of their connections.
  const ofJobs = connect(direct, log, { work: 'jobs', size: JOBS_AT_ONCE })
  const tokens = createTokens({
    secrets: options.secrets,
    accessMinutes: config.ACCESS_TOKEN_MINUTES,
    clock,
  })
  const secretOf = createLinkSecrets(options.secrets[0] ?? '')
  const storage = await createDiskStorage(join(config.DATA_DIR, 'files'))
  const storePicture = createPictures(db, storage)
  const metrics = createMetrics()

  const names = siteNames(config)
  const identity = createIdentity({ db, tokens, clock, publicUrl })

  const afterRegistration = (tx: Tx, userId: string) =>
    welcomePerson(tx, userId, config.WELCOME_POINTS)
  const views = createViewCounter({
    db,
    clock,
    salt: deriveKey(options.secrets[0] ?? '', 'views'),
    log,
  })
  let pages: Pages | undefined
  const onChange = (tags: readonly string[]): void => {
    if (tags.includes('lists')) {
      ofLessons.forgetNumbers()
      ofCourses.forgetNumbers()
    }
    pages?.cache.drop(tags)
  }
  const chat = createChat({
    db,
    clock,
    log,
    limited: config.RATE_LIMITS === 'on',
    secret: Buffer.from(deriveKey(options.secrets[0] ?? '', 'hub')).toString('hex'),
    origins: config.CORS_ORIGINS,
    backplane: options.meeting?.backplane ?? null,
    viewerOfBearer: identity.ofBearer,
    proxies: config.TRUST_PROXY,
    findLiveSessions: (ids) => findLiveSessions(db, ids, clock.now()),
  })
  const judge = createJudge(config, log)
  const onErased = (userId: string): void => {
    chat.hub.closeUser(userId)
    onChange(['lists'])
    pages?.cache.drop('all')
  }
  const ofLessons = lessonRoutes({ db, clock, config, storePicture, views, onChange })
  const ofCourses = courseRoutes({ db, clock, config, storePicture, onChange })
  const routes: Route[] = [
    ...ofLessons.routes,
    ...ofCourses.routes,
    ...searchRoutes({ db }),
    ...purchaseRoutes({ db, clock }),
    ...likeRoutes({ db, clock, onChange }),
    ...commentRoutes({ db, clock, limited: config.RATE_LIMITS === 'on', judge, onChange }),
    ...removalRoutes({ db, clock, onChange }),
    ...erasureRoutes({ db, clock, tokens, config, publicUrl, onErased }),
    ...chat.routes,
    ...flagRoutes({ db, clock }),
    ...moderationRoutes({ db, clock, onSuspended: (userId) => chat.hub.closeUser(userId) }),
    ...contactRoutes({ db, clock, config, publicUrl }),
    ...mailRoutes({ db, clock, names, sends: config.SMTP_URL !== undefined, onAct: logAct }),
    ...unsubscribeRoutes(db, options.secrets),
    ...jobRoutes({
      db,
      onAct: (tx, viewer, action, subject) =>
        logAct(tx, { actorId: viewer.id, action, subject, at: clock.now() }),
    }),
    ...accountRoutes({
      db,
      tokens,
      clock,
      config,
      publicUrl,
      storePicture,
      secretOf,
      afterRegistration,
      onRevoked: (userId, exceptSession) => chat.hub.closeUser(userId, exceptSession),
      onSessionEnded: (userId, sessionId) => chat.hub.closeSession(userId, sessionId),
    }),
    ...profileRoutes({
      db,
      clock,
      tokens,
      config,
      storePicture,
      secretOf,
      onRename: () => pages?.cache.drop('all'),
    }),
    ...pointRoutes({ db }),
  ]
  routes.push(describeRoutes(routes, [files.uploadResource], publicUrl, names.en.site))

  const door = createDoor()
  const { fastify, forms, loads } = await createFastify(config, log, {
    door,
    // A guest's page that is the same for all never reaches the framework.
    answerFirst: (request, response) => {
      request.url = mendAddress(targetOf(request.url))
      return pages?.answerGuest(request, response) === true || chat.answer(request, response)
    },
    observe: (app) => metrics.observe(app),
  })
  chat.takeUpgrades(fastify.server)
  const { meeting } = options
  const parts = [
    { name: 'database', needed: true, check: () => pool.query('select 1') },
    // With a full disk the site goes on reading.
    { name: 'files-disk', needed: false, check: () => storage.check() },
    { name: 'data-disk', needed: false, check: () => checkDisk(config.DATA_DIR) },
    // Without the chat between nodes the site goes on.
    ...(meeting ? [{ name: 'redis', needed: false, check: () => meeting.check() }] : []),
  ]
  registerHealth(fastify, parts, door)
  registerWholeLists(fastify, [allLessons(db), allCourses(db), allPeople(db)], {
    viewerOf: identity.ofBearerHeader,
    loads,
  })
  registerRoutes(fastify, routes, { viewerOfBearer: identity.ofBearer, forms, loads })
  const unsubscribeTokenOf = await registerUnsubscribe(fastify, db, options.secrets)
  registerDevMail(fastify, { db, config, publicUrl, secretOf, unsubscribeTokenOf })
  await registerFiles(fastify, {
    db,
    forms,
    storage,
    clock,
    viewerOfBearer: identity.ofBearer,
    viewerOf: identity.ofRequest,
    maySeeLesson: (viewer, lessonId) => maySeeLesson(db, viewer, lessonId),
  })

  if (options.renderer !== null) {
    pages = await registerPages(fastify, {
      renderer: options.renderer,
      routes,
      db,
      storage,
      forms,
      loads,
      clock,
      log,
      publicUrl,
      names,
      mail: config.MAIL_FROM,
      social: config.SOCIAL_URL,
      proxies: config.TRUST_PROXY,
      cookieName: cookieName(publicUrl),
      visitorOf: identity.visitorOf,
      onView: (lessonId, viewer) => views.count(lessonId, viewer),
      onHit: () => metrics.cachedPages.inc(),
    })
  }

  const handlers = createHandlers({ ...options, db: ofJobs.db, storage, secretOf, judge })
  const worker =
    config.JOBS === 'here'
      ? await startWorker({
          connection: direct,
          handlers,
          everyMinute: EVERY_MINUTE,
          log,
          onJob: (name, done) => metrics.jobs.inc({ name, result: done ? 'done' : 'failed' }),
        })
      : null
  const afterwards: Closable[] = [chat, fastify, views, database, ofJobs]
  return {
    fastify,
    database,
    views,
    demo: { db, clock, storePicture, afterRegistration },
    runJobs: () => runJobsOnce(pool, handlers, log),
    listen: async (port, host) => {
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
