/** Registers everything except pages: the calls of every folder, and the few routes that aren't calls. */
import type { FastifyInstance } from 'fastify'
import { files } from '#contract/files.ts'
import { createLinkSecrets } from '#server/accounts/mails/links.ts'
import { routes as accounts } from '#server/accounts/routes.ts'
import { registerOidc } from '#server/accounts/oidc/calls.ts'
import { markWrites } from '#server/accounts/sessions/write-marks.ts'
import { routes as audit } from '#server/audit/routes.ts'
import { routes as backup } from '#server/backup/routes.ts'
import { registerCredentials } from '#server/certificates/credential/addresses.ts'
import { routes as certificates } from '#server/certificates/routes.ts'
import { routes as chat } from '#server/chat/routes.ts'
import { routes as checks } from '#server/checks/routes.ts'
import { routes as comments } from '#server/comments/routes.ts'
import { routes as contact } from '#server/contact/routes.ts'
import { allCourses } from '#server/courses/list.ts'
import { routes as courses } from '#server/courses/routes.ts'
import { registerSeen } from '#server/doctor/seen.ts'
import { registerExports } from '#server/exports/downloads.ts'
import { routes as exports } from '#server/exports/routes.ts'
import { routes as failures } from '#server/failures/routes.ts'
import { registerFiles } from '#server/files/routes.ts'
import { routes as flags } from '#server/flags/routes.ts'
import { routes as follows } from '#server/follows/routes.ts'
import type { Identity } from '#server/identity.ts'
import type { Route } from '#server/kernel/call.ts'
import type { Core } from '#server/kernel/core.ts'
import type { Forms } from '#server/kernel/http/forms.ts'
import { registerRoutes } from '#server/kernel/http/http.ts'
import type { Loads } from '#server/kernel/queues/loads.ts'
import { describeRoutes } from '#server/kernel/http/openapi.ts'
import { siteNames } from '#server/kernel/site.ts'
import { registerWholeLists } from '#server/kernel/http/whole-lists.ts'
import { maySeeLesson } from '#server/lessons/details/details.ts'
import { createDiscussions, type Discussions } from '#server/lessons/discussions.ts'
import { routes as lessons } from '#server/lessons/routes.ts'
import { allLessons } from '#server/lessons/list.ts'
import { routes as likes } from '#server/likes/routes.ts'
import { registerDevMail } from '#server/mail/dev.ts'
import { routes as moderation } from '#server/moderation/routes.ts'
import { routes as points } from '#server/points/routes.ts'
import { allPeople } from '#server/profiles/people.ts'
import { routes as notes } from '#server/notes/routes.ts'
import { routes as notices } from '#server/notices/routes.ts'
import { registerUnsubscribe } from '#server/notices/unsubscribe.ts'
import { routes as progress } from '#server/progress/routes.ts'
import { routes as profiles } from '#server/profiles/routes.ts'
import { routes as purchases } from '#server/purchases/routes.ts'
import { routes as ratings } from '#server/ratings/routes.ts'
import { routes as removal } from '#server/removal/routes.ts'
import { routes as stall } from '#server/stall/routes.ts'
import { routes as webhooks } from '#server/webhooks/routes.ts'
import { routes as search } from '#server/search/routes.ts'

/** What lessons and comments share. */
type Shared = Core & { readonly discussions: Discussions }

const FOLDERS: readonly ((core: Shared) => Route[])[] = [
  lessons,
  courses,
  search,
  purchases,
  likes,
  comments,
  ratings,
  removal,
  follows,
  chat,
  progress,
  notes,
  notices,
  checks,
  certificates,
  stall,
  flags,
  moderation,
  contact,
  failures,
  audit,
  backup,
  webhooks,
  accounts,
  profiles,
  exports,
  points,
]

/** Returns all calls, including their description. Call it once, because folders subscribe to changes here. */
export function listRoutes(core: Core): Route[] {
  const shared: Shared = { ...core, discussions: createDiscussions(core) }
  const calls = FOLDERS.flatMap((folder) => folder(shared))
  const routes =
    core.config.DATABASE_REPLICA_URL === undefined ? calls : calls.map(markWrites(core.db))
  const { site } = siteNames(core.config).en
  return [...routes, describeRoutes(routes, [files.uploadResource], core.publicUrl, site)]
}

export interface Serving extends Identity {
  readonly routes: readonly Route[]
  readonly forms: Forms
  readonly loads: Loads
}

/** Registers the calls, whole lists, forms of mailed links, the developers' mail view, and files. */
export async function registerAddresses(
  fastify: FastifyInstance,
  core: Core,
  serving: Serving,
): Promise<void> {
  const { db, reads, secrets } = core
  const { routes, forms, loads } = serving
  // Registered before the calls, because it hooks into some of them.
  registerWholeLists(fastify, [allLessons(reads), allCourses(reads), allPeople(reads)], {
    viewerOf: serving.viewerOfBearerHeader,
    loads,
  })
  registerRoutes(fastify, routes, serving)
  const unsubscribeTokenOf = await registerUnsubscribe(fastify, db, secrets)
  const secretOf = createLinkSecrets(secrets[0])
  registerOidc(fastify, core)
  registerSeen(fastify, core)
  registerCredentials(fastify, core)
  registerDevMail(fastify, { ...core, secretOf, unsubscribeTokenOf })
  registerExports(fastify, { ...core, viewerOf: serving.viewerOfRequest })
  await registerFiles(fastify, {
    ...core,
    forms,
    viewerOfBearer: serving.viewerOfBearer,
    viewerOf: serving.viewerOfRequest,
    maySeeLesson: (viewer, lessonId) => maySeeLesson(db, viewer, lessonId),
  })
}
