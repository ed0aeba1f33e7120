/** Translated descriptions of the audit's rules. */
import type { AuditRule } from '#contract/audit.ts'
import type { MessageKey } from '#contract/messages/messages.ts'

const WORDS: Readonly<Record<AuditRule, MessageKey>> = {
  balanceNotSum: 'auditBalanceNotSum',
  entryNotRunning: 'auditEntryNotRunning',
  boughtOnDebt: 'auditBoughtOnDebt',
  correctionUnexplained: 'auditCorrectionUnexplained',
  trustedWrongly: 'auditTrustedWrongly',
  purchaseNotPaid: 'auditPurchaseNotPaid',
  shareNotPaid: 'auditShareNotPaid',
  ratingWithoutRight: 'auditRatingWithoutRight',
  ownPurchase: 'auditOwnPurchase',
  purchaseOfGone: 'auditPurchaseOfGone',
  formerLessonInvalid: 'auditFormerLessonInvalid',
  rewardNotEarned: 'auditRewardNotEarned',
  captionsNotPaid: 'auditCaptionsNotPaid',
  rewardWithoutItem: 'auditRewardWithoutItem',
  courseRewardTooFew: 'auditCourseRewardTooFew',
  lessonNumbers: 'auditLessonNumbers',
  courseNumbers: 'auditCourseNumbers',
  courseLessonCount: 'auditCourseLessonCount',
  viewsTooFew: 'auditViewsTooFew',
  followersNumber: 'auditFollowersNumber',
  unreadTooMany: 'auditUnreadTooMany',
  pictureFileMissing: 'auditPictureFileMissing',
  resourceFileMissing: 'auditResourceFileMissing',
  strayFile: 'auditStrayFile',
  itemWithoutContents: 'auditItemWithoutContents',
  courseHoldsGone: 'auditCourseHoldsGone',
  resourceNotAttached: 'auditResourceNotAttached',
  conversationBroken: 'auditConversationBroken',
  certificateIncomplete: 'auditCertificateIncomplete',
  brokenReference: 'auditBrokenReference',
  missingSubject: 'auditMissingSubject',
  sequenceBehind: 'auditSequenceBehind',
}

/** Returns null for a rule that this version does not know. */
export function wordsOfRule(rule: string): MessageKey | null {
  return Object.hasOwn(WORDS, rule) ? WORDS[rule as AuditRule] : null
}
