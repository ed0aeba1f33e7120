import { invitations } from '#contract/invitations.ts'
import { INVITATIONS_A_MINUTE, OWN_INVITATION_DAYS } from '#contract/limits.ts'
import { route, type Route } from '#server/kernel/call.ts'
import { conflict, forbidden, notFound } from '#server/kernel/errors.ts'
import { createRate } from '#server/kernel/limits/rates.ts'
import { createInvitation } from '#server/people/accounts/door/door.ts'
import { countOpen, listInvitations, withdraw } from '#server/people/accounts/door/store.ts'
import { lockAccountStatus } from '#server/people/accounts/suspension.ts'
import type { Core } from '#server/platform/core/core.ts'
import { logAct } from '#server/people/moderation/log.ts'

/** Unused invitations that somebody who is no administrator may have at once. */
const OWN_INVITATIONS = 20

export function invitationRoutes(core: Core): Route[] {
  const { db, clock, config, publicUrl, settings } = core
  const own = createRate(INVITATIONS_A_MINUTE.person, config)
  const all = createRate(INVITATIONS_A_MINUTE.all, config)
  const count = (personId: string) => {
    own.count(personId)
    all.count('everybody')
  }
  const linkOf = (token: string) => `${publicUrl}/register?invitation=${token}`
  return [
    route(invitations.create, async ({ viewer }, { uses, days }) => {
      count(viewer.id)
      const now = clock.now()
      return db.transaction().execute(async (tx) => {
        const { id, token } = await createInvitation(tx, { inviterId: viewer.id, uses, days, now })
        const act = { actorId: viewer.id, subjectId: id, subject: String(uses), at: now }
        await logAct(tx, { ...act, action: 'invitationCreated' })
        return { link: linkOf(token) }
      })
    }),
    route(invitations.createOwn, async ({ viewer }) => {
      if (!settings.current.INVITATIONS_BY_ALL) throw forbidden('invitationsByAdministrators')
      count(viewer.id)
      const now = clock.now()
      const invitation = { inviterId: viewer.id, uses: 1, days: OWN_INVITATION_DAYS, now }
      return db.transaction().execute(async (tx) => {
        await lockAccountStatus(tx, viewer.id)
        if ((await countOpen(tx, viewer.id, now)) >= OWN_INVITATIONS)
          throw conflict('invitationsMost', { count: OWN_INVITATIONS })
        const { token } = await createInvitation(tx, invitation)
        return { link: linkOf(token) }
      })
    }),
    route(invitations.all, (_, { page = 1 }) => listInvitations(db, { page, now: clock.now() })),
    route(invitations.remove, async ({ viewer }, { id }) => {
      const at = clock.now()
      await db.transaction().execute(async (tx) => {
        if (!(await withdraw(tx, id, at))) throw notFound()
        await logAct(tx, { actorId: viewer.id, action: 'invitationWithdrawn', subjectId: id, at })
      })
      return null
    }),
  ]
}
