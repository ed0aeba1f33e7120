/** Finds mails that wait without a job: stored while there was no SMTP_URL, or lost with a worker. */
import type { Db } from '#server/platform/db/connect.ts'
import { jobKind, NoPayload } from '#server/platform/jobs/job.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import { queueMail } from '#server/platform/mail/outbox.ts'
import { findJobless } from '#server/platform/mail/store.ts'

export const QUEUE_WAITING_MAILS = jobKind('queueWaitingMails', NoPayload)

/** Mails per run; the rest follows a minute later. */
const MOST = 500

export interface WaitingNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly config: Pick<Config, 'SMTP_URL'>
}

/** Queues jobs for them; does nothing without SMTP_URL. */
export async function queueWaitingMails({ db, clock, config }: WaitingNeeds): Promise<void> {
  if (config.SMTP_URL === undefined) return
  for (const { id, sendAfter } of await findJobless(db, clock.now(), MOST))
    await queueMail(db, id, sendAfter)
}
