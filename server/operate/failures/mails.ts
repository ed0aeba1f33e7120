import { mail } from '#contract/mail.ts'
import { siteNameIn } from '#contract/site.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import { route, type Route, type Viewer } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { translatePacked } from '#server/kernel/text/messages.ts'
import {
  countMails,
  dropMails,
  listMails,
  retryMails,
  waitForSending,
  type ActedMail,
} from '#server/platform/mail/desk.ts'
import { logAct } from '#server/people/moderation/log.ts'

export function mailRoutes({ db, clock, config, settings }: Core): Route[] {
  /** Logs a line for each mail, because somebody may later ask whom it was for. */
  async function log(
    tx: Tx,
    viewer: Viewer,
    action: 'mailsRetried' | 'mailsDropped',
    mails: readonly ActedMail[],
  ): Promise<void> {
    for (const { id, kind, subject, userId } of mails) {
      await logAct(tx, {
        actorId: viewer.id,
        action,
        subjectId: id,
        subject:
          kind === 'notice' ? translatePacked('en', subject, settings.current.names.en) : subject,
        personId: userId,
        at: clock.now(),
      })
    }
  }

  return [
    route(mail.outbox, async ({ locale }, { state, page = 1, search }) => {
      const [mails, counts] = await Promise.all([
        listMails(db, {
          state,
          page,
          search,
          locale,
          name: siteNameIn(settings.current.names, locale),
        }),
        countMails(db),
      ])
      return { mails, counts, sends: config.SMTP_URL !== undefined }
    }),
    route(mail.resend, async ({ viewer }, { ids }) => {
      await waitForSending(db, ids)
      await db.transaction().execute(async (tx) => {
        await log(tx, viewer, 'mailsRetried', await retryMails(tx, ids, clock.now()))
      })
      return null
    }),
    route(mail.dropMails, async ({ viewer }, { ids }) => {
      await waitForSending(db, ids)
      await db.transaction().execute(async (tx) => {
        await log(tx, viewer, 'mailsDropped', await dropMails(tx, ids))
      })
      return null
    }),
  ]
}
