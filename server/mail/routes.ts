/** The outbox for administrators. */
import { mail } from '#contract/mail.ts'
import type { Db } from '#server/db/connect.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { notFound } from '#server/kernel/errors.ts'

export interface MailNeeds {
  readonly db: Db
  readonly clock: Clock
  /** False without SMTP_URL. */
  readonly sends: boolean
}

export function mailRoutes(_needs: MailNeeds): Route[] {
  return [
    route(mail.outbox, async () => {
      throw notFound()
    }),
    route(mail.resend, async () => {
      throw notFound()
    }),
    route(mail.dropMails, async () => {
      throw notFound()
    }),
  ]
}
