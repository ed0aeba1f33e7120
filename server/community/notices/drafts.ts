/** Maps each event to its recipients and the contents of their notices. */
import type { NoticeKind } from '#contract/notices.ts'
import type { Event, ItemRef } from '#server/platform/events/catalogue.ts'

export interface NoticeDraft {
  readonly kind: NoticeKind
  readonly person: string
  /** Absent if nobody is named. */
  readonly actor?: string
  readonly item?: ItemRef | null
  /** Only for items that may be deleted before the notice is read. */
  readonly title?: string | null
  readonly comment?: number
  /** The entry of the moderation log. */
  readonly act?: number | undefined
  readonly detail?: string
  readonly amount?: number
  /** The words of an administrator. */
  readonly note?: string | null
}

/** May name the person who acted, whom settling.ts leaves out. following.ts notifies followers of publications. */
export function noticesOf(event: Event): readonly NoticeDraft[] {
  switch (event.type) {
    case 'lesson.sold':
    case 'course.sold': {
      const { item, ownerId: person, buyerId: actor, share: amount } = event
      return [{ kind: 'sold', person, actor, item, detail: 'share', amount }]
    }
    case 'lesson.returned':
    case 'course.returned': {
      const { item, ownerId: person, share } = event
      // An author who had a share is notified of the entry that takes it back.
      return share > 0 ? [] : [{ kind: 'sold', person, item, detail: 'returned' }]
    }
    case 'video.gone':
      return [{ kind: 'video', person: event.ownerId, item: event.item }]
    case 'item.liked':
      return [{ kind: 'liked', person: event.ownerId, actor: event.userId, item: event.item }]
    case 'comment.created': {
      const { ownerId, askedId, userId: actor, item, commentId: comment } = event
      const common = { actor, item, comment }
      // An owner who is answered gets the notice of the answer.
      return [
        ...(askedId === ownerId
          ? []
          : [{ kind: 'commented', person: ownerId, ...common } as const]),
        ...(askedId === null ? [] : [{ kind: 'answered', person: askedId, ...common } as const]),
      ]
    }
    case 'rating.created':
      return [{ kind: 'rated', person: event.ownerId, actor: event.userId, item: event.item }]
    case 'rating.answered':
      return [{ kind: 'answered', person: event.userId, actor: event.ownerId, item: event.item }]
    case 'captions.offered': {
      const { ownerId: person, userId: actor, item } = event
      return [{ kind: 'captions', person, actor, item, detail: 'offered' }]
    }
    case 'captions.decided': {
      const { userId: person, ownerId: actor, item, title, accepted, amount, note } = event
      const detail = accepted ? 'accepted' : 'declined'
      return [{ kind: 'captions', person, actor, item, title, detail, amount, note }]
    }
    case 'message.written':
      return [{ kind: 'message', person: event.receiverId, actor: event.senderId }]
    case 'points.moved': {
      const { userId: person, reason: detail, amount, item, title, note = null } = event
      return [{ kind: 'points', person, item, title, detail, amount, note }]
    }
    case 'lesson.resembled': {
      const { ownerId: person, userId: actor, item, title } = event
      return [{ kind: 'moderation', person, actor, item, title, detail: 'copyFound' }]
    }
    case 'certificate.revoked': {
      const { ownerId: person, item, title, note } = event
      return [{ kind: 'certificate', person, item, title, note }]
    }
    case 'moderator.acted': {
      const { userId: person, action: detail, act, item, title, note } = event
      return [{ kind: 'moderation', person, item, title, detail, act, note }]
    }
    default:
      return []
  }
}
