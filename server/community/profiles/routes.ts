import { profiles } from '#contract/profiles.ts'
import { sessionAnswer } from '#server/people/accounts/answer.ts'
import { findPersonByName } from '#server/people/accounts/claims.ts'
import { createLinkSecrets } from '#server/people/accounts/mails/links.ts'
import { openThrottle } from '#server/people/accounts/throttle.ts'
import { openTokens } from '#server/people/accounts/sessions/tokens.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { notFound } from '#server/kernel/errors.ts'
import { editProfile } from '#server/community/profiles/edit.ts'
import { findPerson, listPeople } from '#server/community/profiles/people.ts'
import { showPublicPage } from '#server/community/profiles/public-page.ts'
import { showOwnProfile, showProfile } from '#server/community/profiles/show.ts'

export function routes(core: Core): Route[] {
  const { db, reads, clock, events, secrets } = core
  const tokens = openTokens(core)
  const secretOf = createLinkSecrets(secrets[0])
  const editing = { ...core, secretOf, throttle: openThrottle(core) }
  const requirePerson = async (from: Db, id: string | null) => {
    const person = id === null ? null : await findPerson(from, id)
    if (person === null) throw notFound('profileNotFound')
    return person
  }
  return [
    route(profiles.show, ({ viewer }, { id, ...pages }) =>
      showProfile(core, { viewer, id, pages, now: clock.now() }),
    ),
    route(profiles.information, ({ viewer }, { id }) => requirePerson(reads.of(viewer), id)),
    route(profiles.named, async ({ viewer }, { name }) => {
      const from = reads.of(viewer)
      return requirePerson(from, await findPersonByName(from, name, clock.now()))
    }),
    route(profiles.by, ({ viewer }, asked) =>
      showPublicPage(reads.of(viewer), { ...asked, viewer, now: clock.now() }),
    ),
    route(profiles.all, async (context, { search, page = 1 }) => {
      const { people, total } = await listPeople(reads.of(context.viewer), search, page)
      context.setHeader('x-total-count', String(total))
      return people
    }),
    route(profiles.update, async ({ viewer, method }, edit) => {
      const whole = method !== 'PATCH'
      const { seen } = await editProfile(editing, viewer, edit, { whole })
      if (seen) events.publish({ type: 'user.renamed', userId: viewer.id })
      const profile = await showOwnProfile(db, viewer, clock.now())
      const session = await sessionAnswer({ ...core, tokens }, viewer.id, viewer.sessionId)
      return { ...profile, session }
    }),
  ]
}
