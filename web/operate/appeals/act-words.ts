import type { AppealableAction } from '#contract/appeals.ts'
import type { MessageKey } from '#contract/messages/messages.ts'

interface ActWords {
  /** What was decided. */
  readonly what: MessageKey
  /** The rule that the decision is based on. */
  readonly rule: MessageKey
  /** What the decision covers, and for how long. */
  readonly effect: MessageKey
}

const forever = (what: MessageKey, rule: MessageKey): ActWords => ({
  what,
  rule,
  effect: 'appealEffectForever',
})
const edited = (what: MessageKey): ActWords => ({
  what,
  rule: 'appealRuleContent',
  effect: 'appealEffectStays',
})
const unrewarded = (what: MessageKey): ActWords => ({
  what,
  rule: 'appealRuleCopies',
  effect: 'appealEffectReward',
})

/** The parts of a statement of reasons, as Article 17 of the EU's Digital Services Act lists them. */
export const ACT_WORDS: Readonly<Record<AppealableAction, ActWords>> = {
  commentDeleted: forever('appealActCommentDeleted', 'appealRuleTexts'),
  ratingDeleted: forever('appealActRatingDeleted', 'appealRuleTexts'),
  lessonEdited: edited('appealActLessonEdited'),
  courseEdited: edited('appealActCourseEdited'),
  lessonDeleted: forever('appealActLessonDeleted', 'appealRuleContent'),
  courseDeleted: forever('appealActCourseDeleted', 'appealRuleContent'),
  copyConfirmed: unrewarded('appealActCopyConfirmed'),
  copyRemoved: forever('appealActCopyRemoved', 'appealRuleCopies'),
  suspended: {
    what: 'appealActSuspended',
    rule: 'appealRulePeople',
    effect: 'appealEffectSuspended',
  },
  aboutDeleted: forever('appealActAboutDeleted', 'appealRuleTexts'),
  rewardWithheld: unrewarded('appealActRewardWithheld'),
  rewardWithdrawn: unrewarded('appealActRewardWithdrawn'),
}
