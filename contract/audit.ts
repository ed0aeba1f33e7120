import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Instant } from '#contract/fields.ts'

/** Each name is also the code of the breach. */
export type AuditRule =
  | 'balanceNotSum'
  | 'entryNotRunning'
  | 'boughtOnDebt'
  | 'correctionUnexplained'
  | 'trustedWrongly'
  | 'purchaseNotPaid'
  | 'shareNotPaid'
  | 'ratingWithoutRight'
  | 'ownPurchase'
  | 'purchaseOfGone'
  | 'formerLessonInvalid'
  | 'rewardNotEarned'
  | 'captionsNotPaid'
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
  /** A code. Runs of an older version may contain codes that no longer exist. */
  rule: z.string(),
  /** In English. */
  what: z.string(),
  /** Number of breaches found. */
  count: z.number(),
  /** A sample of the rows that break the rule. */
  ids: z.array(z.string()),
})
export type AuditFinding = z.infer<typeof AuditFinding>

export const AuditGap = z.object({
  /** The code of a rule that could not be checked. */
  rule: z.string(),
  /** In English. */
  why: z.string(),
})
export type AuditGap = z.infer<typeof AuditGap>

export const AuditRun = z.object({
  began: Instant,
  /** Null while the run is in progress. */
  finished: z.nullable(Instant),
  /** Finished statements, and the time they took in ms. */
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
      /** The last finished run and the one in progress. Null if there is none. */
      last: z.nullable(AuditRun),
      underWay: z.nullable(AuditRun),
      version: z.string(),
    }),
    summary: 'What the nightly audit of the database and its files found',
  },
})
