/** Lists all jobs, for serving processes and for separate workers. */
import { CLEAR_SIGN_INS, clearSignIns } from '#server/accounts/clearing.ts'
import { refoldNames } from '#server/accounts/refolding.ts'
import { createLinkSecrets } from '#server/accounts/mails/links.ts'
import { createResetMailer, MAIL_RESET } from '#server/accounts/mails/reset.ts'
import { createUnsubscribeTokens } from '#server/accounts/mails/unsubscribe.ts'
import {
  createCommentJudge,
  createCommentsJudge,
  JUDGE_COMMENT,
  JUDGE_COMMENTS,
  refoldComments,
  SWEEP_COMMENTS,
  sweepComments,
} from '#server/comments/judging.ts'
import { AUDIT_STEP, auditStep } from '#server/audit/nightly.ts'
import { backUpDaily, DAILY_BACKUP } from '#server/backup/daily.ts'
import { clearSettledBugs } from '#server/contact/bugs.ts'
import { CLEAR_LETTER_ATTEMPTS, clearLetterAttempts } from '#server/contact/attempts.ts'
import { CLEAR_EXPORTS, clearExports, MAKE_EXPORT } from '#server/exports/exports.ts'
import { createExporter } from '#server/exports/making.ts'
import {
  createAvifMaker,
  createPictureLook,
  SWEEP_PICTURES,
  sweepPictures,
} from '#server/files/picture-jobs.ts'
import { LOOK_AT_PICTURE, MAKE_AVIF } from '#server/files/picture-life.ts'
import { CLEAR_UNATTACHED, clearUnattached } from '#server/files/resources.ts'
import { clearSettledFlags } from '#server/flags/store.ts'
import { CLEAR_DRAFTS, clearDrafts } from '#server/items/drafts.ts'
import { HEAR_LANGUAGES, hearLanguages } from '#server/items/languages.ts'
import { refoldTags } from '#server/lessons/tags/refolding.ts'
import { job, jobKind, NoPayload, recurringJob, type Job } from '#server/jobs/job.ts'
import type { Core } from '#server/kernel/core.ts'
import { SEND_MAIL } from '#server/mail/outbox.ts'
import { createMailSender } from '#server/mail/send.ts'
import { FORGET_MAILS, forgetMails } from '#server/mail/store.ts'
import { QUEUE_WAITING_MAILS, queueWaitingMails } from '#server/mail/waiting.ts'
import { refoldNotes } from '#server/notes/store.ts'
import { SEND_DIGESTS, sendDigests } from '#server/notices/digests.ts'
import { createFollowerTeller, TELL_FOLLOWERS } from '#server/notices/following.ts'
import { SETTLE_NOTICES, settleNotices } from '#server/notices/settling.ts'
import { CLEAR_NOTICES, clearNotices } from '#server/notices/store.ts'
import { clearDeleted } from '#server/moderation/undo.ts'
import { createJudge } from '#server/opinion/opinion.ts'
import { createWithdrawer, WITHDRAW_RATINGS } from '#server/ratings/leaving.ts'
import {
  createRatingsJudge,
  JUDGE_RATINGS,
  SWEEP_RATINGS,
  sweepRatings,
} from '#server/ratings/judging.ts'
import { RANK_ITEMS, rankItems } from '#server/ratings/ranking.ts'
import { createDeliverer, DELIVER_WEBHOOK } from '#server/webhooks/delivering.ts'
import { createWebhookNeeds } from '#server/webhooks/needs.ts'
import { CLEAR_WEBHOOKS, clearWebhooks } from '#server/webhooks/store.ts'
import { VANISH_COMMENTS, createCommentsVanisher } from '#server/removal/comments.ts'
import { createEraser, FINISH_ERASURE } from '#server/removal/erasure.ts'
import { CONTINUE_REMOVALS, continueRemovals } from '#server/removal/unfinished.ts'
import { INDEX_WORDS, indexWords } from '#server/words/indexing.ts'
import { refoldTitles, refoldWords } from '#server/words/refolding.ts'

/** Deletes what was deleted or settled long ago. Runs every minute. */
const CLEAR_SETTLED = jobKind('clearSettled', NoPayload)

/** Folds again what older versions folded differently. Runs every minute. */
const REFOLD = jobKind('refold', NoPayload)

/** Call it once, because the mail sender remembers when the mail server hung. */
export function listJobs(core: Core): Job[] {
  const { db, storage, clock, config, log, secrets } = core
  const judge = createJudge(config, log)
  const secretOf = createLinkSecrets(secrets[0])
  const unsubscribeTokenOf = createUnsubscribeTokens(secrets).tokenOf
  return [
    job(SEND_MAIL, createMailSender({ ...core, secretOf, unsubscribeTokenOf })),
    job(MAIL_RESET, createResetMailer({ ...core, secretOf })),
    job(JUDGE_COMMENT, createCommentJudge({ db, clock, judge })),
    job(JUDGE_COMMENTS, createCommentsJudge({ db, clock, judge })),
    job(VANISH_COMMENTS, createCommentsVanisher(db)),
    job(JUDGE_RATINGS, createRatingsJudge({ db, clock, judge })),
    job(WITHDRAW_RATINGS, createWithdrawer(core)),
    job(MAKE_EXPORT, createExporter(core)),
    job(FINISH_ERASURE, createEraser(core)),
    job(LOOK_AT_PICTURE, createPictureLook(db, storage)),
    job(MAKE_AVIF, createAvifMaker(db, storage)),
    job(DELIVER_WEBHOOK, createDeliverer(createWebhookNeeds(core))),
    recurringJob(CLEAR_WEBHOOKS, () => clearWebhooks(db, clock)),
    recurringJob(CONTINUE_REMOVALS, () => continueRemovals({ db, clock })),
    recurringJob(CLEAR_UNATTACHED, async () => {
      await clearUnattached(db, storage, clock)
      await storage.sweep()
    }),
    recurringJob(SWEEP_PICTURES, () => sweepPictures(db, storage, clock)),
    recurringJob(CLEAR_SIGN_INS, () => clearSignIns(db, clock)),
    recurringJob(SWEEP_COMMENTS, () => sweepComments({ db, clock })),
    recurringJob(SWEEP_RATINGS, () => sweepRatings({ db, clock })),
    recurringJob(RANK_ITEMS, () => rankItems(core)),
    recurringJob(CLEAR_LETTER_ATTEMPTS, () => clearLetterAttempts(db, clock)),
    recurringJob(QUEUE_WAITING_MAILS, () => queueWaitingMails(core)),
    recurringJob(DAILY_BACKUP, (_, context) => backUpDaily(core, context)),
    recurringJob(AUDIT_STEP, (_, context) => auditStep(core, context)),
    recurringJob(INDEX_WORDS, () => indexWords(db)),
    recurringJob(REFOLD, async () => {
      await refoldNames(db)
      await refoldTitles(db)
      await refoldWords(db)
      await refoldTags(db)
      await refoldComments(db)
      await refoldNotes(db)
    }),
    recurringJob(HEAR_LANGUAGES, () => hearLanguages(db)),
    recurringJob(CLEAR_DRAFTS, () => clearDrafts(db, clock)),
    recurringJob(CLEAR_EXPORTS, () => clearExports(core)),
    recurringJob(CLEAR_SETTLED, async () => {
      const now = clock.now()
      await clearDeleted(db, 'comments', now)
      await clearDeleted(db, 'ratings', now)
      await clearSettledFlags(db, now)
      await clearSettledBugs(db, now)
    }),
    job(TELL_FOLLOWERS, createFollowerTeller(core)),
    recurringJob(SETTLE_NOTICES, () => settleNotices(core)),
    recurringJob(SEND_DIGESTS, () => sendDigests({ db, clock })),
    recurringJob(CLEAR_NOTICES, () => clearNotices(db, clock)),
    recurringJob(FORGET_MAILS, () => forgetMails(db, clock)),
  ]
}
