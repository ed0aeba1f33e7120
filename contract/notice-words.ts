/** Turns a notice into a catalogue key and values, the same for pages and mails. */
import type { MessageKey } from '#contract/messages/messages.ts'
import type { MessageValues } from '#contract/message.ts'
import type { NoticeKind, Notice } from '#contract/notices.ts'

/** Names of the kinds, used in settings and on unsubscribe pages. */
export const KIND_WORDS: Readonly<Record<NoticeKind, MessageKey>> = {
  sold: 'noticeKindSold',
  rated: 'noticeKindRated',
  commented: 'noticeKindCommented',
  answered: 'noticeKindAnswered',
  captions: 'noticeKindCaptions',
  liked: 'noticeKindLiked',
  message: 'noticeKindMessage',
  points: 'noticeKindPoints',
  published: 'noticeKindPublished',
  certificate: 'noticeKindCertificate',
  video: 'noticeKindVideo',
  moderation: 'noticeKindModeration',
}

export type NoticeInput = Pick<Notice, 'kind' | 'detail' | 'count' | 'amount'> & {
  /** The name as the reader sees it. */
  readonly actor: string
  readonly title: string
  readonly itemKind: 'lesson' | 'course' | null
}

export interface NoticeMessage {
  readonly key: MessageKey
  readonly values: MessageValues
}

export function noticeWords(notice: NoticeInput): NoticeMessage {
  const { actor, title, count, amount } = notice
  return {
    key: keyOf(notice),
    // `taken`: points taken back, as a positive number.
    values: { actor, title, count, others: count - 1, amount, taken: -amount },
  }
}

function keyOf({ kind, detail, itemKind, amount }: NoticeInput): MessageKey {
  switch (kind) {
    case 'sold':
      return detail === 'returned' ? 'noticeReturned' : 'noticeSold'
    case 'rated':
      return 'noticeRated'
    case 'commented':
      return 'noticeCommented'
    case 'answered':
      return 'noticeAnswered'
    case 'captions':
      if (detail === 'offered') return 'noticeCaptionsOffered'
      if (detail === 'declined') return 'noticeCaptionsDeclined'
      return amount > 0 ? 'noticeCaptionsPaid' : 'noticeCaptionsAccepted'
    case 'liked':
      return 'noticeLiked'
    case 'message':
      return 'noticeMessage'
    case 'points':
      if (detail === 'corrected' && amount < 0) return 'noticeCorrectedDown'
      return POINTS_MESSAGES.get(detail ?? '') ?? 'noticePoints'
    case 'published':
      return itemKind === 'course' ? 'noticePublishedCourse' : 'noticePublishedLesson'
    case 'certificate':
      return 'noticeCertificate'
    case 'video':
      return 'noticeVideo'
    case 'moderation':
      return ACTION_MESSAGES.get(detail ?? '') ?? 'noticeModeration'
  }
}

const POINTS_MESSAGES = new Map<string, MessageKey>([
  ['refunded', 'noticeRefunded'],
  ['lessonGone', 'noticeLessonGone'],
  ['rewardWithheld', 'noticeWithheld'],
  // Other shares come with the notice of a sale.
  ['share', 'noticeTrustRepaid'],
  ['shareReturned', 'noticeShareReturned'],
  ['corrected', 'noticeCorrected'],
])

const ACTION_MESSAGES = new Map<string, MessageKey>([
  ['commentDeleted', 'noticeCommentDeleted'],
  ['commentRestored', 'noticeCommentRestored'],
  ['lessonEdited', 'noticeLessonEdited'],
  ['lessonDeleted', 'noticeLessonDeleted'],
  ['courseEdited', 'noticeCourseEdited'],
  ['courseDeleted', 'noticeCourseDeleted'],
  ['copyFound', 'noticeCopyFound'],
  ['copyConfirmed', 'noticeCopyConfirmed'],
  ['copyDenied', 'noticeCopyDenied'],
  ['copyRemoved', 'noticeCopyRemoved'],
  ['copyUndone', 'noticeCopyUndone'],
  ['suspended', 'noticeSuspended'],
  ['unsuspended', 'noticeUnsuspended'],
  ['aboutDeleted', 'noticeAboutDeleted'],
  ['ratingDeleted', 'noticeRatingDeleted'],
  ['ratingRestored', 'noticeRatingRestored'],
  ['appealGranted', 'noticeAppealGranted'],
  ['appealDeclined', 'noticeAppealDeclined'],
])
