/** What is done besides requests: every job by name, for the process that serves and for a worker alone. */
import { clearSignIns } from '#server/accounts/clearing.ts'
import { createResetMailer, MAIL_RESET } from '#server/accounts/mails/reset.ts'
import { createUnsubscribeTokens } from '#server/accounts/mails/unsubscribe.ts'
import { createCommentJudge, JUDGE_COMMENT, sweepComments } from '#server/comments/judging.ts'
import { clearLetterAttempts } from '#server/contact/attempts.ts'
import type { Db } from '#server/db/connect.ts'
import { createAvifMaker, createPictureLook, sweepPictures } from '#server/files/picture-jobs.ts'
import { LOOK_AT_PICTURE, MAKE_AVIF } from '#server/files/picture-life.ts'
import { clearUnattached } from '#server/files/resources.ts'
import type { Storage } from '#server/files/storage.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import { SEND_MAIL } from '#server/mail/outbox.ts'
import { createMailSender } from '#server/mail/send.ts'
import { forgetMails } from '#server/mail/store.ts'
import { queueWaitingMails } from '#server/mail/waiting.ts'
import type { Judge } from '#server/opinion/opinion.ts'
import { VANISH_COMMENTS, createCommentsVanisher } from '#server/removal/comments.ts'
import { createEraser, ERASE_REST } from '#server/removal/erasure.ts'
import { continueRemovals } from '#server/removal/unfinished.ts'

export interface WorkNeeds {
  readonly db: Db
  readonly storage: Storage
  readonly clock: Clock
  readonly config: Config
  readonly log: Log
  /** Origin of the links in mails. */
  readonly publicUrl: string
  /** The first signs, all verify. */
  readonly secrets: readonly string[]
  /** The secret of a mailed link, by the id of its token. */
  readonly secretOf: (tokenId: string) => string
  readonly judge: Judge
}

/** Jobs that also run every minute. */
export const EVERY_MINUTE = [
  'continueRemovals',
  'clearUnattached',
  'sweepPictures',
  'clearSignIns',
  'sweepComments',
  'clearLetterAttempts',
  'queueWaitingMails',
  'forgetMails',
] as const

export function createHandlers(needs: WorkNeeds): JobHandlers {
  const { db, storage, clock, judge } = needs
  const unsubscribeTokenOf = createUnsubscribeTokens(needs.secrets).tokenOf
  return {
    [SEND_MAIL]: createMailSender({ ...needs, unsubscribeTokenOf }),
    [MAIL_RESET]: createResetMailer(needs),
    [JUDGE_COMMENT]: createCommentJudge({ db, clock, judge }),
    sweepComments: () => sweepComments({ db, clock }),
    [VANISH_COMMENTS]: createCommentsVanisher(db),
    [ERASE_REST]: createEraser(db, storage, clock),
    [LOOK_AT_PICTURE]: createPictureLook(db, storage),
    [MAKE_AVIF]: createAvifMaker(db, storage),
    sweepPictures: () => sweepPictures(db, storage, clock),
    continueRemovals: async () => {
      await continueRemovals(db)
    },
    clearUnattached: async () => {
      await clearUnattached(db, storage, clock)
    },
    clearSignIns: () => clearSignIns(db, clock),
    clearLetterAttempts: () => clearLetterAttempts(db, clock),
    queueWaitingMails: () => queueWaitingMails(needs),
    forgetMails: () => forgetMails(db, clock),
  }
}
