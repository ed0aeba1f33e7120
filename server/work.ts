/** What is done besides requests: every job by name, for the process that serves and for a worker alone. */
import { clearSignIns } from '#server/accounts/clearing.ts'
import { createLinkSecrets } from '#server/accounts/mails/links.ts'
import { createResetMailer, MAIL_RESET } from '#server/accounts/mails/reset.ts'
import { createUnsubscribeTokens } from '#server/accounts/mails/unsubscribe.ts'
import { createCommentJudge, JUDGE_COMMENT, sweepComments } from '#server/comments/judging.ts'
import { clearLetterAttempts } from '#server/contact/attempts.ts'
import { createAvifMaker, createPictureLook, sweepPictures } from '#server/files/picture-jobs.ts'
import { LOOK_AT_PICTURE, MAKE_AVIF } from '#server/files/picture-life.ts'
import { clearUnattached } from '#server/files/resources.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'
import type { Core } from '#server/kernel/core.ts'
import { SEND_MAIL } from '#server/mail/outbox.ts'
import { createMailSender } from '#server/mail/send.ts'
import { forgetMails } from '#server/mail/store.ts'
import { queueWaitingMails } from '#server/mail/waiting.ts'
import { createJudge } from '#server/opinion/opinion.ts'
import { VANISH_COMMENTS, createCommentsVanisher } from '#server/removal/comments.ts'
import { createEraser, ERASE_REST } from '#server/removal/erasure.ts'
import { continueRemovals } from '#server/removal/unfinished.ts'

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

export function createHandlers(core: Core): JobHandlers {
  const { db, storage, clock, config, log, secrets } = core
  const judge = createJudge(config, log)
  const secretOf = createLinkSecrets(secrets[0])
  const unsubscribeTokenOf = createUnsubscribeTokens(secrets).tokenOf
  return {
    [SEND_MAIL]: createMailSender({ ...core, secretOf, unsubscribeTokenOf }),
    [MAIL_RESET]: createResetMailer({ ...core, secretOf }),
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
    queueWaitingMails: () => queueWaitingMails(core),
    forgetMails: () => forgetMails(db, clock),
  }
}
