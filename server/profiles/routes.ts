/** People over HTTP: profiles, and the edit of one's own. */
import { Readable } from 'node:stream'
import { profiles } from '#contract/profiles.schemas.ts'
import { archiveName } from '#contract/site.ts'
import { sessionAnswer } from '#server/accounts/answer.ts'
import { findPersonByName } from '#server/accounts/claims.ts'
import type { SecretOf } from '#server/accounts/mails/links.ts'
import { createThrottle, noThrottle } from '#server/accounts/throttle.ts'
import type { Tokens } from '#server/accounts/sessions/tokens.ts'
import type { Db } from '#server/db/connect.ts'
import type { StorePicture } from '#server/files/pictures.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import { siteNames, type SiteConfig } from '#server/kernel/site.ts'
import { notFound } from '#server/kernel/errors.ts'
import { writeArchive } from '#server/profiles/archive.ts'
import { editProfile } from '#server/profiles/edit.ts'
import { findPerson, listPeople } from '#server/profiles/people.ts'
import { showOwnProfile, showProfile } from '#server/profiles/show.ts'

export interface ProfileNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly tokens: Tokens
  readonly config: Pick<Config, 'RATE_LIMITS'> & SiteConfig
  readonly storePicture: StorePicture
  readonly secretOf: SecretOf
  /** Called after a name or picture changed: it stands on every card and page of the person. */
  readonly onRename: () => void
}

export function profileRoutes(needs: ProfileNeeds): Route[] {
  const { db, clock, tokens, config } = needs
  const throttle = config.RATE_LIMITS === 'on' ? createThrottle(db, () => clock.now()) : noThrottle
  const requirePerson = async (id: string | null) => {
    const person = id === null ? null : await findPerson(db, id)
    if (person === null) throw notFound('profileNotFound')
    return person
  }
  return [
    route(profiles.show, ({ viewer }, { id, ...pages }) =>
      showProfile(db, { viewer, id, pages, now: clock.now() }),
    ),
    route(profiles.information, (_, { id }) => requirePerson(id)),
    route(profiles.named, async (_, { name }) =>
      requirePerson(await findPersonByName(db, name, clock.now())),
    ),
    route(profiles.all, async (context, { search, page = 1 }) => {
      const { people, total } = await listPeople(db, search, page)
      context.setHeader('x-total-count', String(total))
      return people
    }),
    route(profiles.archive, async (context) => {
      context.setHeader('content-type', 'application/json; charset=utf-8')
      context.setHeader(
        'content-disposition',
        `attachment; filename="${archiveName(siteNames(config).en.site)}"`,
      )
      return Readable.from(writeArchive(db, context.viewer.id))
    }),
    route(profiles.update, async ({ viewer, method }, edit) => {
      const whole = method !== 'PATCH'
      const { seen } = await editProfile({ ...needs, throttle }, viewer, edit, { whole })
      if (seen) needs.onRename()
      const profile = await showOwnProfile(db, viewer, clock.now())
      const session = await sessionAnswer(db, tokens, viewer.id, viewer.sessionId)
      return { ...profile, session }
    }),
  ]
}
