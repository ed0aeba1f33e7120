import type { MessageKey } from '#contract/messages/messages.ts'
import type { Entry, EntryReason } from '#contract/points.ts'

const words: Readonly<Record<EntryReason, MessageKey>> = {
  welcome: 'pointsEntryWelcome',
  created: 'pointsEntryCreatedLesson',
  rewardWithdrawn: 'pointsEntryWithdrawn',
  rewardWithheld: 'pointsEntryCreatedLesson',
  bought: 'pointsEntryBoughtLesson',
  trusted: 'pointsEntryTrusted',
  refunded: 'pointsEntryRefunded',
  lessonGone: 'pointsEntryLessonGone',
  returned: 'pointsEntryReturned',
  videoGone: 'pointsEntryVideoGone',
  captioned: 'pointsEntryCaptioned',
  share: 'pointsEntryShare',
  shareReturned: 'pointsEntryShareReturned',
  edited: 'pointsEntryEdited',
  deletedByAdministrator: 'pointsEntryDeleted',
  corrected: 'pointsEntryCorrected',
}

/** Replaces texts that are worded for lessons. */
const courseWords: Partial<Record<EntryReason, MessageKey>> = {
  created: 'pointsEntryCreatedCourse',
  rewardWithheld: 'pointsEntryCreatedCourse',
  rewardWithdrawn: 'pointsEntryWithdrawnCourse',
  bought: 'pointsEntryBoughtCourse',
  refunded: 'pointsEntryRefundedCourse',
  returned: 'pointsEntryReturnedCourse',
  share: 'pointsEntryShareCourse',
  shareReturned: 'pointsEntryShareReturnedCourse',
  edited: 'pointsEntryEditedCourse',
  deletedByAdministrator: 'pointsEntryDeletedCourse',
}

/** The message marks the item's title with the tag `item`. */
export function sentenceOf({ reason, item }: Pick<Entry, 'reason' | 'item'>): MessageKey {
  return (item?.kind === 'course' ? courseWords[reason] : undefined) ?? words[reason]
}
