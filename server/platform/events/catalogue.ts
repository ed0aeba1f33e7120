/**
 * Everything that happens and concerns other parts: caches, the hub, other nodes, notices and webhooks. Events are
 * plain data without texts of people, because they are sent to other nodes as they are.
 */
import * as z from 'zod'
import { FlagKind } from '#contract/flags.ts'
import { Action } from '#contract/moderation.ts'
import { AWAY_MINUTES } from '#contract/notices.ts'
import { EntryReason, type ItemKind } from '#contract/points.ts'
import type { WebhookEvent } from '#contract/webhooks.ts'

export type ItemRef = { readonly kind: ItemKind; readonly id: number }

export const lessonRef = (id: number): ItemRef => ({ kind: 'lesson', id })

export const courseRef = (id: number): ItemRef => ({ kind: 'course', id })

const Id = z.string().min(1).max(100)
const Item = z.object({ kind: z.enum(['lesson', 'course']), id: z.int().positive() }).readonly()
const Items = z.array(Item).readonly()

/** Also judges messages of other nodes, because anybody who can write to Redis can send anything. */
export const Event = z.discriminatedUnion('type', [
  z.object({
    type: z.literal(['lesson.published', 'course.published']),
    item: Item,
    /** A course's lessons, whose pages list it. */
    also: Items,
    ownerId: Id,
  }),
  z.object({
    type: z.literal(['lesson.sold', 'course.sold', 'lesson.returned', 'course.returned']),
    item: Item,
    ownerId: Id,
    buyerId: Id,
    price: z.int(),
    /** The author's part of the price. */
    share: z.int(),
  }),
  /** The last checks found that a lesson's video can't be played. */
  z.object({ type: z.literal('video.gone'), item: Item, ownerId: Id }),
  z.object({ type: z.literal('item.liked'), item: Item, ownerId: Id, userId: Id }),
  z.object({
    type: z.literal('comment.created'),
    commentId: z.int(),
    item: Item,
    /** The courses whose number of comments changed. */
    also: Items,
    /** The lesson's owner. */
    ownerId: Id,
    userId: Id,
    /** The author of the comment that it answers. */
    askedId: Id.nullable(),
  }),
  z.object({
    type: z.literal('rating.created'),
    ratingId: z.int(),
    stars: z.int(),
    item: Item,
    ownerId: Id,
    userId: Id,
  }),
  /** The item's owner answered a rating for the first time. */
  z.object({ type: z.literal('rating.answered'), item: Item, ownerId: Id, userId: Id }),
  /** A buyer offered captions for a lesson. */
  z.object({ type: z.literal('captions.offered'), item: Item, ownerId: Id, userId: Id }),
  /** The author accepted or declined offered captions. */
  z.object({
    type: z.literal('captions.decided'),
    item: Item,
    title: z.string(),
    /** Who offered them. */
    userId: Id,
    /** Who decided. */
    ownerId: Id,
    accepted: z.boolean(),
    /** The points that were paid. */
    amount: z.int(),
    note: z.string().nullable(),
  }),
  z.object({
    type: z.literal('report.created'),
    reportId: z.int(),
    kind: FlagKind,
    subjectId: Id,
    reporterId: Id,
  }),
  z.object({ type: z.literal('user.registered'), userId: Id }),
  z.object({ type: z.literal('user.suspended'), userId: Id }),
  z.object({
    type: z.literal('message.written'),
    messageId: z.int(),
    senderId: Id,
    receiverId: Id,
  }),
  /** Others caused an entry in a person's ledger. */
  z.object({
    type: z.literal('points.moved'),
    userId: Id,
    reason: EntryReason,
    amount: z.int(),
    item: Item.nullable(),
    title: z.string().nullable(),
    /** An administrator's reason. */
    note: z.string().optional(),
  }),
  /** A lesson has almost the same article as an older one, whose owner is notified. */
  z.object({
    type: z.literal('lesson.resembled'),
    item: Item,
    title: z.string(),
    original: Item,
    ownerId: Id,
    /** The author of the newer lesson. */
    userId: Id,
  }),
  /** An administrator revoked a certificate of a course. */
  z.object({
    type: z.literal('certificate.revoked'),
    item: Item,
    title: z.string(),
    ownerId: Id,
    note: z.string().nullable(),
  }),
  /** An administrator did something to a person or their things. */
  z.object({
    type: z.literal('moderator.acted'),
    userId: Id,
    action: Action,
    /** The entry of the moderation log. Absent in older events. */
    act: z.int().optional(),
    item: Item.nullable(),
    title: z.string().nullable(),
    note: z.string().nullable(),
  }),
  /** Items were edited or deleted, or are shown by items that were. */
  z.object({ type: z.literal('items.changed'), items: Items }),
  /** Comments or ratings of items were edited, deleted or restored, so they were counted again. */
  z.object({ type: z.literal('items.counted'), items: Items }),
  /** Views of lessons were written. */
  z.object({ type: z.literal('views.counted'), items: Items }),
  /** A name or a picture changed. */
  z.object({ type: z.literal('user.renamed'), userId: Id }),
  /** An account was closed, together with the parts of its items that are removed at once. */
  z.object({ type: z.literal('user.erased'), userId: Id }),
  /** All sessions of a person ended, or all but one; with `tokensToo`, also the access tokens of programs. */
  z.object({
    type: z.literal('sessions.revoked'),
    userId: Id,
    exceptSession: Id.nullable(),
    tokensToo: z.boolean().optional(),
  }),
  /** One session ended, because its person ended it or it was stolen; or an access token was revoked. */
  z.object({ type: z.literal('session.ended'), userId: Id, sessionId: Id }),
  /** A person read messages, so their number of unread messages changed. */
  z.object({ type: z.literal('messages.read'), userId: Id }),
  /** People received or read notices, so the numbers on their bells changed. */
  z.object({ type: z.literal('notices.changed'), userIds: z.array(Id).readonly() }),
  /** A certificate was withdrawn or revoked, or its visibility to search engines changed. */
  z.object({ type: z.literal('certificate.changed'), code: Id }),
  /** An administrator changed settings of the site. */
  z.object({ type: z.literal('settings.changed') }),
  /** Events of other nodes may have been lost, so every cache must be read again. */
  z.object({ type: z.literal('changes.missed') }),
  /**
   * Another node ended without announcing it, so subscribers must look for stored work that it hadn't passed on.
   */
  z.object({ type: z.literal('node.lost') }),
])
export type Event = z.output<typeof Event>

/**
 * What an event makes stale. `items`: the items' pages and every list. `numbers`: the items' own pages; lists stay
 * cached for a few seconds, because a busy site would otherwise never serve one from memory. `views`: lists; pages
 * stay cached for a few seconds. `names`: what shows people. `access`: what a person may see and do.
 */
export type Stale =
  | 'everything'
  | 'items'
  | 'numbers'
  | 'views'
  | 'names'
  | 'access'
  | 'certificate'
  | 'nothing'

interface Kind<Type extends Event['type']> {
  /** Minutes after which notices and webhooks get the stored event; null if it is only published. */
  readonly dueMinutes: number | null
  readonly webhook: Type extends WebhookEvent ? true : false
  readonly stale: Stale
  /** True if it goes to the other nodes. The hub reaches connections there by its own backplane. */
  readonly sent: boolean
}

export const KINDS = {
  'lesson.published': { dueMinutes: 0, webhook: true, stale: 'items', sent: true },
  'course.published': { dueMinutes: 0, webhook: true, stale: 'items', sent: true },
  'lesson.sold': { dueMinutes: 0, webhook: true, stale: 'nothing', sent: false },
  'course.sold': { dueMinutes: 0, webhook: true, stale: 'nothing', sent: false },
  'lesson.returned': { dueMinutes: 0, webhook: true, stale: 'nothing', sent: false },
  'course.returned': { dueMinutes: 0, webhook: true, stale: 'nothing', sent: false },
  'video.gone': { dueMinutes: 0, webhook: false, stale: 'items', sent: true },
  'item.liked': { dueMinutes: 0, webhook: false, stale: 'numbers', sent: true },
  'comment.created': { dueMinutes: 0, webhook: true, stale: 'numbers', sent: true },
  'rating.created': { dueMinutes: 0, webhook: true, stale: 'numbers', sent: true },
  'rating.answered': { dueMinutes: 0, webhook: false, stale: 'numbers', sent: true },
  'captions.offered': { dueMinutes: 0, webhook: false, stale: 'nothing', sent: false },
  'captions.decided': { dueMinutes: 0, webhook: false, stale: 'nothing', sent: false },
  'report.created': { dueMinutes: 0, webhook: true, stale: 'nothing', sent: false },
  'user.registered': { dueMinutes: 0, webhook: true, stale: 'nothing', sent: false },
  'user.suspended': { dueMinutes: 0, webhook: true, stale: 'access', sent: true },
  'message.written': { dueMinutes: AWAY_MINUTES, webhook: false, stale: 'nothing', sent: false },
  'points.moved': { dueMinutes: 0, webhook: false, stale: 'nothing', sent: false },
  'lesson.resembled': { dueMinutes: 0, webhook: false, stale: 'nothing', sent: false },
  'certificate.revoked': { dueMinutes: 0, webhook: false, stale: 'nothing', sent: false },
  'moderator.acted': { dueMinutes: 0, webhook: false, stale: 'nothing', sent: false },
  'items.changed': { dueMinutes: null, webhook: false, stale: 'items', sent: true },
  'items.counted': { dueMinutes: null, webhook: false, stale: 'numbers', sent: true },
  'views.counted': { dueMinutes: null, webhook: false, stale: 'views', sent: true },
  'user.renamed': { dueMinutes: null, webhook: false, stale: 'names', sent: true },
  'user.erased': { dueMinutes: null, webhook: false, stale: 'everything', sent: true },
  'sessions.revoked': { dueMinutes: null, webhook: false, stale: 'nothing', sent: true },
  'session.ended': { dueMinutes: null, webhook: false, stale: 'nothing', sent: true },
  'messages.read': { dueMinutes: null, webhook: false, stale: 'nothing', sent: false },
  'notices.changed': { dueMinutes: null, webhook: false, stale: 'nothing', sent: true },
  'certificate.changed': { dueMinutes: null, webhook: false, stale: 'certificate', sent: true },
  'settings.changed': { dueMinutes: null, webhook: false, stale: 'everything', sent: true },
  'changes.missed': { dueMinutes: null, webhook: false, stale: 'everything', sent: false },
  'node.lost': { dueMinutes: null, webhook: false, stale: 'nothing', sent: false },
} as const satisfies { readonly [Type in Event['type']]: Kind<Type> }

type Kinds = typeof KINDS
type StoredType = {
  [Type in Event['type']]: Kinds[Type]['dueMinutes'] extends number ? Type : never
}[Event['type']]
export type StoredEvent = Extract<Event, { readonly type: StoredType }>

/** Returns true if the event makes one of these stale, or everything. */
export function isStale(event: Event, ...what: readonly Stale[]): boolean {
  const { stale } = KINDS[event.type]
  return stale === 'everything' || what.includes(stale)
}

/** Returns the items that the event makes stale. */
export function itemsOf(event: Event): readonly ItemRef[] {
  if ('items' in event) return event.items
  if (!('item' in event) || event.item === null) return []
  return [event.item, ...('also' in event ? event.also : [])]
}
