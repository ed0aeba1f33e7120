/** Suspension, the log, and what waits for an administrator. */
import { moderation } from '#contract/moderation.ts'
import type { Db } from '#server/db/connect.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { notFound } from '#server/kernel/errors.ts'

export interface ModerationNeeds {
  readonly db: Db
  readonly clock: Clock
  /** Called when a person was suspended: their connections end. */
  readonly onSuspended: (userId: string) => void
}

export function moderationRoutes(_needs: ModerationNeeds): Route[] {
  return [
    route(moderation.counts, async () => {
      throw notFound()
    }),
    route(moderation.log, async () => {
      throw notFound()
    }),
    route(moderation.suspend, async () => {
      throw notFound()
    }),
    route(moderation.unsuspend, async () => {
      throw notFound()
    }),
  ]
}
