import { moderation } from '#contract/moderation.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { packageVersion } from '#server/kernel/version.ts'
import { countWaiting, listLog } from '#server/people/moderation/store.ts'
import {
  signOutPerson,
  suspendPerson,
  unsuspendPerson,
} from '#server/people/moderation/suspension.ts'

export function routes(core: Core): Route[] {
  const { reads, events } = core
  const version = packageVersion()
  return [
    route(moderation.counts, async ({ viewer }) => ({
      ...(await countWaiting(reads.of(viewer))),
      version,
    })),
    route(moderation.log, async (context, query) => {
      const { entries, total } = await listLog(reads.of(context.viewer), query)
      context.setHeader('x-total-count', String(total))
      return entries
    }),
    route(moderation.suspend, async ({ viewer }, given) => {
      await suspendPerson(core, viewer, given)
      events.publish({ type: 'user.suspended', userId: given.id })
      return null
    }),
    route(moderation.unsuspend, async ({ viewer }, given) => {
      await unsuspendPerson(core, viewer, given)
      return null
    }),
    route(moderation.signOut, async ({ viewer }, given) => {
      await signOutPerson(core, viewer, given)
      events.publish({
        type: 'sessions.revoked',
        userId: given.id,
        exceptSession: null,
        tokensToo: true,
      })
      return null
    }),
  ]
}
