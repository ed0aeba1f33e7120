/** Lists all jobs, for serving processes and for separate workers. */
import { CLEAR_SIGN_INS, clearSignIns } from '#server/people/accounts/clearing.ts'
import { createLinkSecrets } from '#server/people/accounts/mails/links.ts'
import { createResetMailer, MAIL_RESET } from '#server/people/accounts/mails/reset.ts'
import { createUnsubscribeTokens } from '#server/people/accounts/mails/unsubscribe.ts'
import {
  createCommentsJudge,
  JUDGE_COMMENTS,
  SWEEP_COMMENTS,
  sweepComments,
} from '#server/items/comments/judging.ts'
import { COUNT_ECONOMY, countEconomy } from '#server/operate/economy/counting.ts'
import { AUDIT_STEP, auditStep } from '#server/operate/audit/nightly.ts'
import { backUpDaily, DAILY_BACKUP } from '#server/operate/backup/daily.ts'
import { clearSettledBugs } from '#server/community/contact/bugs.ts'
import { CLEAR_LETTER_ATTEMPTS, clearLetterAttempts } from '#server/community/contact/attempts.ts'
import { CLEAR_EXPORTS, clearExports, MAKE_EXPORT } from '#server/operate/exports/exports.ts'
import { createExporter } from '#server/operate/exports/making.ts'
import {
  createAvifMaker,
  createPictureLook,
  SWEEP_PICTURES,
  sweepPictures,
} from '#server/platform/files/picture-jobs.ts'
import { LOOK_AT_PICTURE, MAKE_AVIF } from '#server/platform/files/picture-life.ts'
import { CLEAR_UNATTACHED, clearUnattached } from '#server/platform/files/resources.ts'
import { CHECK_VIDEOS, checkVideos } from '#server/items/lessons/video/checking.ts'
import { deleteOldClosedFlags } from '#server/items/flags/store.ts'
import {
  FINGERPRINT_LESSONS,
  fingerprintLessons,
} from '#server/items/lessons/rewards/fingerprinting.ts'
import { clearOldDrafts } from '#server/items/drafts/store.ts'
import { CLEAR_DRAFTS, clearDrafts } from '#server/items/shared/drafts.ts'
import { job, jobKind, NoPayload, recurringJob, type Job } from '#server/platform/jobs/job.ts'
import type { Core } from '#server/platform/core/core.ts'
import { dispatchEvents, type Subscriber } from '#server/platform/events/dispatching.ts'
import { SEND_MAIL } from '#server/platform/mail/outbox.ts'
import { createMailSender } from '#server/platform/mail/send.ts'
import { FORGET_MAILS, forgetMails } from '#server/platform/mail/store.ts'
import { QUEUE_WAITING_MAILS, queueWaitingMails } from '#server/platform/mail/waiting.ts'
import { SEND_DIGESTS, sendDigests } from '#server/community/notices/digests.ts'
import { createFollowerTeller, TELL_FOLLOWERS } from '#server/community/notices/following.ts'
import { settleNotices } from '#server/community/notices/settling.ts'
import { CLEAR_NOTICES, clearNotices } from '#server/community/notices/store.ts'
import { clearDeleted } from '#server/people/moderation/clearing.ts'
import { deleteOldFingerprints } from '#server/people/points/fingerprints.ts'
import { createJudge } from '#server/people/opinion/opinion.ts'
import { createWithdrawRatingsHandler, WITHDRAW_RATINGS } from '#server/items/ratings/leaving.ts'
import { PAY_TRUSTED_SHARES, payTrustedShares } from '#server/items/purchases/trusted-shares.ts'
import {
  createRatingsJudge,
  JUDGE_RATINGS,
  SWEEP_RATINGS,
  sweepRatings,
} from '#server/items/ratings/judging.ts'
import { COUNT_FIGURES, countFigures } from '#server/items/figures/counting.ts'
import { RANK_ITEMS, rankItems } from '#server/items/ratings/ranking.ts'
import { createDeliverer, DELIVER_WEBHOOK } from '#server/operate/webhooks/delivering.ts'
import { createWebhookSubscriber } from '#server/operate/webhooks/recording.ts'
import { createWebhookNeeds } from '#server/operate/webhooks/needs.ts'
import { CLEAR_WEBHOOKS, clearWebhooks } from '#server/operate/webhooks/store.ts'
import { deleteHiddenCopies } from '#server/operate/removal/copies.ts'
import { dropUnrestorable } from '#server/operate/removal/restoring.ts'
import { VANISH_COMMENTS, createCommentsVanisher } from '#server/operate/removal/comments.ts'
import { createEraser, FINISH_ERASURE } from '#server/operate/removal/erasure.ts'
import { CONTINUE_REMOVALS, continueRemovals } from '#server/operate/removal/unfinished.ts'
import { INDEX_WORDS, indexWords } from '#server/items/words/indexing.ts'

/** Deletes what was deleted or settled long ago. Runs every minute. */
const CLEAR_SETTLED = jobKind('clearSettled', NoPayload)

/** Runs every minute, for events that no serving process has passed on. */
const DISPATCH_EVENTS = jobKind('dispatchEvents', NoPayload)

/** What follows from stored events. */
export const listSubscribers = ({ publicUrl }: Pick<Core, 'publicUrl'>): readonly Subscriber[] => [
  settleNotices,
  createWebhookSubscriber(publicUrl),
]

/** Call it once, because the mail sender remembers when the mail server hung. */
export function listJobs(core: Core): Job[] {
  const { db, storage, clock, config, log, secrets } = core
  const judge = createJudge(config, log)
  const secretOf = createLinkSecrets(secrets[0])
  const unsubscribeTokenOf = createUnsubscribeTokens(secrets).tokenOf
  return [
    job(SEND_MAIL, createMailSender({ ...core, secretOf, unsubscribeTokenOf })),
    job(MAIL_RESET, createResetMailer({ ...core, secretOf })),
    job(JUDGE_COMMENTS, createCommentsJudge({ db, clock, judge })),
    job(VANISH_COMMENTS, createCommentsVanisher(db)),
    job(JUDGE_RATINGS, createRatingsJudge({ db, clock, judge })),
    job(WITHDRAW_RATINGS, createWithdrawRatingsHandler(core)),
    job(MAKE_EXPORT, createExporter(core)),
    job(FINISH_ERASURE, createEraser(core)),
    job(LOOK_AT_PICTURE, createPictureLook(db, storage)),
    job(MAKE_AVIF, createAvifMaker(db, storage)),
    job(DELIVER_WEBHOOK, createDeliverer(createWebhookNeeds(core))),
    recurringJob(CLEAR_WEBHOOKS, () => clearWebhooks(db, clock)),
    recurringJob(PAY_TRUSTED_SHARES, () => payTrustedShares({ db, clock })),
    recurringJob(CONTINUE_REMOVALS, async () => {
      await continueRemovals({ db, clock })
      await deleteHiddenCopies({ db, clock })
      await dropUnrestorable({ db, clock })
    }),
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
    recurringJob(CHECK_VIDEOS, (_, context) => checkVideos(core, context)),
    recurringJob(COUNT_ECONOMY, (_, context) => countEconomy(core, context)),
    recurringJob(COUNT_FIGURES, (_, context) => countFigures(core, context)),
    recurringJob(INDEX_WORDS, () => indexWords(db)),
    recurringJob(FINGERPRINT_LESSONS, () => fingerprintLessons(db)),
    recurringJob(CLEAR_DRAFTS, async () => {
      await clearDrafts(db, clock)
      await clearOldDrafts(db, clock)
    }),
    recurringJob(CLEAR_EXPORTS, () => clearExports(core)),
    recurringJob(CLEAR_SETTLED, async () => {
      const now = clock.now()
      await clearDeleted(db, 'comments', now)
      await clearDeleted(db, 'ratings', now)
      await deleteOldClosedFlags(db, now)
      await clearSettledBugs(db, now)
      await deleteOldFingerprints(db, now)
    }),
    job(TELL_FOLLOWERS, createFollowerTeller(core)),
    recurringJob(DISPATCH_EVENTS, () => dispatchEvents(core, listSubscribers(core))),
    recurringJob(SEND_DIGESTS, () => sendDigests({ db, clock })),
    recurringJob(CLEAR_NOTICES, () => clearNotices(db, clock)),
    recurringJob(FORGET_MAILS, () => forgetMails(db, clock)),
  ]
}
