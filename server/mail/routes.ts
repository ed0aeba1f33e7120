/** The outbox for administrators. */
import { mail } from '#contract/mail.schemas.ts'
import type { SiteNames } from '#contract/site.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { route, type Route, type Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { translatePacked } from '#server/kernel/text/messages.ts'
import { countMails, dropMails, listMails, retryMails, type ActedMail } from '#server/mail/desk.ts'

export interface MailNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly names: SiteNames
  /** False without SMTP_URL. */
  readonly sends: boolean
  /** Writes what an administrator did into the log, in the same transaction. */
  readonly onAct: (tx: Tx, act: MailAct) => Promise<void>
}

interface MailAct {
  readonly actorId: string
  readonly action: 'mailsRetried' | 'mailsDropped'
  readonly subjectId: number
  readonly subject: string
  readonly personId: string | null
  readonly at: Date
}

export function mailRoutes({ db, clock, names, sends, onAct }: MailNeeds): Route[] {
  /** A line for each mail: whom it was for is asked later. */
  async function log(
    tx: Tx,
    viewer: Viewer,
    action: MailAct['action'],
    mails: readonly ActedMail[],
  ): Promise<void> {
    for (const { id, kind, subject, userId } of mails) {
      await onAct(tx, {
        actorId: viewer.id,
        action,
        subjectId: id,
        subject: kind === 'notice' ? translatePacked('en', subject, names.en) : subject,
        personId: userId,
        at: clock.now(),
      })
    }
  }

  return [
    route(mail.outbox, async ({ locale }, { state, page = 1 }) => {
      const [mails, counts] = await Promise.all([
        listMails(db, { state, page, locale, name: names[locale] }),
        countMails(db),
      ])
      return { mails, counts, sends }
    }),
    route(mail.resend, async ({ viewer }, { ids }) => {
      await db.transaction().execute(async (tx) => {
        await log(tx, viewer, 'mailsRetried', await retryMails(tx, ids, clock.now()))
      })
      return null
    }),
    route(mail.dropMails, async ({ viewer }, { ids }) => {
      await db.transaction().execute(async (tx) => {
        await log(tx, viewer, 'mailsDropped', await dropMails(tx, ids))
      })
      return null
    }),
  ]
}
