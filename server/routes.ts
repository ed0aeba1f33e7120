/** Registers everything except pages: the calls of every folder, and the few routes that aren't calls. */
import type { FastifyInstance } from 'fastify'
import { files } from '#contract/files.ts'
import { createLinkSecrets } from '#server/people/accounts/mails/links.ts'
import { routes as accounts } from '#server/people/accounts/routes.ts'
import { registerOidc } from '#server/people/accounts/oidc/calls.ts'
import { markWrites } from '#server/people/accounts/sessions/write-marks.ts'
import { routes as audit } from '#server/operate/audit/routes.ts'
import { routes as backup } from '#server/operate/backup/routes.ts'
import { registerCredentials } from '#server/items/certificates/credential/addresses.ts'
import { routes as captions } from '#server/items/captions/routes.ts'
import { routes as certificates } from '#server/items/certificates/routes.ts'
import { routes as chat } from '#server/community/chat/routes.ts'
import { routes as checks } from '#server/items/checks/routes.ts'
import { routes as comments } from '#server/items/comments/routes.ts'
import { routes as contact } from '#server/community/contact/routes.ts'
import { allCourses } from '#server/items/courses/list.ts'
import { routes as courses } from '#server/items/courses/routes.ts'
import { routes as drafts } from '#server/items/drafts/routes.ts'
import { registerSeen } from '#server/operate/doctor/seen.ts'
import { routes as economy } from '#server/operate/economy/routes.ts'
import { registerExports } from '#server/operate/exports/downloads.ts'
import { registerFigures } from '#server/items/figures/csv.ts'
import { routes as figures } from '#server/items/figures/routes.ts'
import { routes as exports } from '#server/operate/exports/routes.ts'
import { routes as failures } from '#server/operate/failures/routes.ts'
import { registerFiles } from '#server/platform/files/routes.ts'
import { routes as flags } from '#server/items/flags/routes.ts'
import { routes as follows } from '#server/items/follows/routes.ts'
import type { Identity } from '#server/people/accounts/sessions/identity.ts'
import type { Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import type { Forms } from '#server/kernel/http/forms.ts'
import { registerRoutes } from '#server/kernel/http/http.ts'
import type { Loads } from '#server/kernel/limits/loads.ts'
import { describeRoutes } from '#server/kernel/http/openapi.ts'
import type { HealthPart } from '#server/kernel/process/health.ts'
import { registerWholeLists } from '#server/kernel/http/whole-lists.ts'
import { maySeeLesson } from '#server/items/lessons/details/details.ts'
import { recordFetch } from '#server/items/lessons/openings.ts'
import { createDiscussions, type Discussions } from '#server/items/lessons/discussions.ts'
import { routes as lessons } from '#server/items/lessons/routes.ts'
import { allLessons } from '#server/items/lessons/list.ts'
import { routes as likes } from '#server/items/likes/routes.ts'
import { registerDevMail } from '#server/platform/mail/dev.ts'
import { routes as moderation } from '#server/people/moderation/routes.ts'
import { routes as numbers } from '#server/operate/numbers/routes.ts'
import { routes as people } from '#server/operate/people/routes.ts'
import { routes as points } from '#server/people/points/routes.ts'
import { allPeople } from '#server/community/profiles/people.ts'
import { routes as notes } from '#server/items/notes/routes.ts'
import { routes as notices } from '#server/community/notices/routes.ts'
import { registerUnsubscribe } from '#server/community/notices/unsubscribe.ts'
import { routes as progress } from '#server/items/progress/routes.ts'
import { routes as profiles } from '#server/community/profiles/routes.ts'
import { routes as purchases } from '#server/items/purchases/routes.ts'
import { routes as ratings } from '#server/items/ratings/routes.ts'
import { routes as returns } from '#server/items/returns/routes.ts'
import { routes as appeals } from '#server/operate/appeals/routes.ts'
import { routes as removal } from '#server/operate/removal/routes.ts'
import { routes as settings } from '#server/operate/settings/routes.ts'
import { routes as stall } from '#server/home/routes.ts'
import { routes as webhooks } from '#server/operate/webhooks/routes.ts'
import { routes as videos } from '#server/items/lessons/video/routes.ts'
import { routes as search } from '#server/items/search/routes.ts'

/** What several folders share. */
type Shared = Core & {
  readonly discussions: Discussions
  /** What `/readyz` checks. */
  readonly parts: readonly HealthPart[]
}

const FOLDERS: readonly ((core: Shared) => Route[])[] = [
  lessons,
  videos,
  courses,
  search,
  purchases,
  likes,
  comments,
  ratings,
  returns,
  removal,
  appeals,
  follows,
  chat,
  progress,
  notes,
  drafts,
  notices,
  checks,
  captions,
  certificates,
  figures,
  stall,
  flags,
  moderation,
  contact,
  failures,
  people,
  audit,
  economy,
  numbers,
  backup,
  webhooks,
  accounts,
  profiles,
  exports,
  settings,
  points,
]

/** Returns all calls, including their description. Call it once, because folders subscribe to events here. */
export function listRoutes(core: Core, parts: readonly HealthPart[]): Route[] {
  const shared: Shared = { ...core, parts, discussions: createDiscussions(core) }
  const calls = FOLDERS.flatMap((folder) => folder(shared))
  const routes =
    core.config.DATABASE_REPLICA_URL === undefined ? calls : calls.map(markWrites(core.db))
  const site = () => core.settings.current.names.en.site
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
  registerFigures(fastify, { ...core, viewerOf: serving.viewerOfRequest })
  registerExports(fastify, { ...core, viewerOf: serving.viewerOfRequest })
  await registerFiles(fastify, {
    ...core,
    forms,
    viewerOfBearer: serving.viewerOfBearer,
    viewerOf: serving.viewerOfRequest,
    maySeeLesson: async (viewer, lessonId, fetches) => {
      if (fetches && viewer !== null) await recordFetch(db, viewer.id, lessonId, core.clock.now())
      return maySeeLesson(db, viewer, lessonId)
    },
  })
}
