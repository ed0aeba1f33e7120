/** Translated names of jobs. A job that only a newer version knows shows its code. */
import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'

const NAMES: Readonly<Record<string, MessageKey>> = {
  sendMail: 'jobSendMail',
  queueWaitingMails: 'jobSendKeptMails',
  judgeComments: 'jobJudgeSeveral',
  sweepComments: 'jobJudgeComments',
  mailReset: 'jobMailReset',
  vanishComments: 'jobVanishComments',
  judgeRatings: 'jobJudgeRatings',
  sweepRatings: 'jobSweepRatings',
  withdrawRatings: 'jobWithdrawRatings',
  payTrustedShares: 'jobPayTrustedShares',
  rankItems: 'jobRankItems',
  eraseRest: 'jobEraseRest',
  continueRemovals: 'jobContinueRemovals',
  clearUnattached: 'jobClearUnattached',
  clearSignIns: 'jobClearSignIns',
  clearLetterAttempts: 'jobClearLetterAttempts',
  forgetMails: 'jobForgetMails',
  auditStep: 'jobAuditStep',
  countEconomy: 'jobCountEconomy',
  countFigures: 'jobCountFigures',
  dailyBackup: 'jobDailyBackup',
  deliverWebhook: 'jobDeliverWebhook',
  clearWebhooks: 'jobClearWebhooks',
  checkVideos: 'jobCheckVideos',
  clearDrafts: 'jobClearDrafts',
  clearExports: 'jobClearExports',
  clearNotices: 'jobClearNotices',
  clearSettled: 'jobClearSettled',
  dispatchEvents: 'jobDispatchEvents',
  fingerprintLessons: 'jobFingerprintLessons',
  indexWords: 'jobIndexWords',
  lookAtPicture: 'jobLookAtPicture',
  makeAvif: 'jobMakeAvif',
  makeExport: 'jobMakeExport',
  sendDigests: 'jobSendDigests',
  sweepPictures: 'jobSweepPictures',
  tellFollowers: 'jobTellFollowers',
}

export function useJobWord(): (name: string) => string {
  const { t } = useText()
  return (name) => {
    const key = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined
    return key === undefined ? name : t(key)
  }
}
