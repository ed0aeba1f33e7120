/** Suspension, the log, and what waits for an administrator. */
import { moderation } from '#contract/moderation.schemas.ts'
import type { Db } from '#server/db/connect.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { countWaiting, listLog } from '#server/moderation/store.ts'
import { suspendPerson, unsuspendPerson } from '#server/moderation/suspension.ts'

export interface ModerationNeeds {
  readonly db: Db
  readonly clock: Clock
  /** Called when a person was suspended: their connections end. */
  readonly onSuspended: (userId: string) => void
}

export function moderationRoutes(needs: ModerationNeeds): Route[] {
  const { db } = needs
  return [
    route(moderation.counts, () => countWaiting(db)),
    route(moderation.log, async (context, { page = 1 }) => {
      const { entries, total } = await listLog(db, page)
      context.setHeader('x-total-count', String(total))
      return entries
    }),
    route(moderation.suspend, async ({ viewer }, given) => {
      await suspendPerson(needs, viewer, given)
      needs.onSuspended(given.id)
      return null
    }),
    route(moderation.unsuspend, async ({ viewer }, given) => {
      await unsuspendPerson(needs, viewer, given)
      return null
    }),
  ]
}
