/** Letters to owners and reports of problems. */
import { mail } from '#contract/mail.ts'
import type { Db } from '#server/db/connect.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import { notFound } from '#server/kernel/errors.ts'

export interface ContactNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly config: Pick<Config, 'OWNER_EMAIL' | 'REPORT_ALIASES' | 'RATE_LIMITS'>
}

export function contactRoutes(_needs: ContactNeeds): Route[] {
  return [
    route(mail.send, async () => {
      throw notFound()
    }),
    route(mail.bugs, async () => {
      throw notFound()
    }),
    route(mail.finishBug, async () => {
      throw notFound()
    }),
  ]
}
