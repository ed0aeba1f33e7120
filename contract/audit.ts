/** The result of the nightly audit, for administrators. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Instant } from '#contract/fields.ts'

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

export const AuditFinding = z.object({
  /** The rule that is broken, a code; an older version may have known others. */
  rule: z.string(),
  /** The broken rule in words, in English. */
  what: z.string(),
  /** How often it is broken. */
  count: z.number(),
  /** Some of what breaks it. */
  ids: z.array(z.string()),
})
export type AuditFinding = z.infer<typeof AuditFinding>

export const AuditGap = z.object({
  /** The rule that could not be looked at, a code. */
  rule: z.string(),
  /** Why, in English. */
  why: z.string(),
})
export type AuditGap = z.infer<typeof AuditGap>

export const AuditRun = z.object({
  began: Instant,
  /** Null while it is under way. */
  finished: z.nullable(Instant),
  /** Statements that are through, and milliseconds that they took. */
  steps: z.number(),
  spentMs: z.number(),
  findings: z.array(AuditFinding),
  unproved: z.array(AuditGap),
})
export type AuditRun = z.infer<typeof AuditRun>

export const audit = endpoints({
  last: {
    methods: ['GET'],
    path: '/admin/audit',
    access: 'administrator',
    scope: 'admin',
    input: z.object({}),
    answer: z.object({
      /** The last one that came to its end, and the one under way; null where there is none. */
      last: z.nullable(AuditRun),
      underWay: z.nullable(AuditRun),
      /** Version of the product that is running. */
      version: z.string(),
    }),
    summary: 'What the nightly audit of the database and its files found',
  },
})
