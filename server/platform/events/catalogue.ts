/**
 * Everything that happens and concerns other parts: caches, the hub, other nodes, notices and webhooks. Events are
 * plain data without texts of people, because they are sent to other nodes as they are.
 */
import * as z from 'zod'
import type { ItemKind } from '#contract/points.ts'

export type ItemRef = { readonly kind: ItemKind; readonly id: number }

export const lessonRef = (id: number): ItemRef => ({ kind: 'lesson', id })

export const courseRef = (id: number): ItemRef => ({ kind: 'course', id })

const Id = z.string().min(1).max(100)
const Item = z.object({ kind: z.enum(['lesson', 'course']), id: z.int().positive() }).readonly()
const Items = z.array(Item).max(1000).readonly()

/** Also judges messages of other nodes, because anybody who can write to Redis can send anything. */
export const Event = z.discriminatedUnion('type', [
  /** Items were created, edited or deleted, or are shown by items that were. */
  z.object({ type: z.literal('items.changed'), items: Items }),
  /** Likes, comments or ratings of items were counted again. */
  z.object({ type: z.literal('items.counted'), items: Items }),
  /** Views of lessons were written. */
  z.object({ type: z.literal('views.counted'), items: Items }),
  /** A name or a picture changed. */
  z.object({ type: z.literal('user.renamed'), userId: Id }),
  /** An account was closed, together with the parts of its items that are removed at once. */
  z.object({ type: z.literal('user.erased'), userId: Id }),
  z.object({ type: z.literal('user.suspended'), userId: Id }),
  /** All sessions of a person ended, or all but one; with `tokensToo`, also the access tokens of programs. */
  z.object({
    type: z.literal('sessions.revoked'),
    userId: Id,
    exceptSession: Id.nullable(),
    tokensToo: z.boolean().optional(),
  }),
  /** One session ended, because its person ended it or it was stolen; or an access token was revoked. */
  z.object({ type: z.literal('session.ended'), userId: Id, sessionId: Id }),
  /** An HTTP call stored a chat message that the hub hasn't delivered yet. */
  z.object({ type: z.literal('message.written'), messageId: z.int() }),
  /** A person read messages, so their number of unread messages changed. */
  z.object({ type: z.literal('messages.read'), userId: Id }),
  /** People received or read notices, so the numbers on their bells changed. */
  z.object({ type: z.literal('notices.changed'), userIds: z.array(Id).max(1000).readonly() }),
  /** A certificate was withdrawn or revoked, or its visibility to search engines changed. */
  z.object({ type: z.literal('certificate.changed'), code: Id }),
  /** Webhook endpoints were created, changed or removed, so subscriptions to events may have changed. */
  z.object({ type: z.literal('webhooks.changed') }),
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

interface Kind {
  readonly stale: Stale
  /** True if it goes to the other nodes. The hub reaches connections there by its own backplane. */
  readonly sent: boolean
}

export const KINDS = {
  'items.changed': { stale: 'items', sent: true },
  'items.counted': { stale: 'numbers', sent: true },
  'views.counted': { stale: 'views', sent: true },
  'user.renamed': { stale: 'names', sent: true },
  'user.erased': { stale: 'everything', sent: true },
  'user.suspended': { stale: 'access', sent: true },
  'sessions.revoked': { stale: 'nothing', sent: true },
  'session.ended': { stale: 'nothing', sent: true },
  'message.written': { stale: 'nothing', sent: false },
  'messages.read': { stale: 'nothing', sent: false },
  'notices.changed': { stale: 'nothing', sent: true },
  'certificate.changed': { stale: 'certificate', sent: true },
  'webhooks.changed': { stale: 'nothing', sent: true },
  'changes.missed': { stale: 'everything', sent: false },
  'node.lost': { stale: 'nothing', sent: false },
} as const satisfies Readonly<Record<Event['type'], Kind>>

/** Returns true if the event makes one of these stale, or everything. */
export function isStale(event: Event, ...what: readonly Stale[]): boolean {
  const { stale } = KINDS[event.type]
  return stale === 'everything' || what.includes(stale)
}

/** Returns the items that the event makes stale. */
export const itemsOf = (event: Event): readonly ItemRef[] => ('items' in event ? event.items : [])
