import { sessions } from '#contract/sessions.ts'
import { endOwnSession, listSessions } from '#server/people/accounts/sessions/own.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { notFound } from '#server/kernel/errors.ts'

/** Ending a session also closes its hub connections. */
export function sessionCalls({ db, clock, events }: Core): Route[] {
  return [
    route(sessions.list, ({ viewer }) => listSessions(db, viewer, clock.now())),
    route(sessions.end, async ({ viewer }, { id }) => {
      if (!(await endOwnSession(db, viewer.id, id, clock.now()))) throw notFound()
      events.publish({ type: 'session.ended', userId: viewer.id, sessionId: id })
      return null
    }),
  ]
}
