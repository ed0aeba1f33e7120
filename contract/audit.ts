/** The call of the audit; what judges it stands in audit.schemas.ts. */
import { calls } from '#contract/endpoint.ts'
import type { AuditSchemas } from '#contract/audit.schemas.ts'

/** What the audit proves; each name is that of its breach. */
export type AuditRule =
  | 'balanceNotSum'
  | 'entryNotRunning'
  | 'boughtOnDebt'
  | 'purchaseNotPaid'
  | 'shareNotPaid'
  | 'ratingWithoutRight'
  | 'ownPurchase'
  | 'purchaseOfGone'
  | 'formerLessonInvalid'
  | 'rewardNotEarned'
  | 'rewardWithoutItem'
  | 'courseRewardTooFew'
  | 'lessonNumbers'
  | 'courseNumbers'
  | 'courseLessonCount'
  | 'viewsTooFew'
  | 'followersNumber'
  | 'unreadTooMany'
  | 'pictureFileMissing'
  | 'resourceFileMissing'
  | 'strayFile'
  | 'itemWithoutContents'
  | 'courseHoldsGone'
  | 'resourceNotAttached'
  | 'conversationBroken'
  | 'certificateIncomplete'
  | 'brokenReference'
  | 'missingSubject'
  | 'sequenceBehind'

export const audit = calls<AuditSchemas>()({
  last: { methods: ['GET'], path: '/admin/audit', access: 'administrator', scope: 'admin' },
})
