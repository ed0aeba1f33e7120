/**
 * The bus: what happened is published here once, as plain data, and whoever must follow it subscribes: the cache of
 * pages, cached numbers, the hub. A folder that changes something knows none of them. A change carries ids and nothing
 * else, so that it is sent to other nodes as it is (server/nodes/bus.ts).
 */
import type { ItemKind } from '#contract/points.ts'
import type { Log } from '#server/kernel/log.ts'

/** A lesson or a course. */
export type ItemRef = { readonly kind: ItemKind; readonly id: number }

/** Names a lesson in a change. */
export const lessonRef = (id: number): ItemRef => ({ kind: 'lesson', id })

/** Names a course in a change. */
export const courseRef = (id: number): ItemRef => ({ kind: 'course', id })

/** What happened. Types, not interfaces: only those are known to hold nothing but plain data. */
export type Change =
  /** Items were created, edited or deleted, or other items show them: their pages and every list are another now. */
  | { readonly kind: 'itemsChanged'; readonly items: readonly ItemRef[] }
  /**
   * Likes or comments of items were counted again: their own pages are another now. Lists stay as they are for the
   * seconds that they are cached; dropped with each like, a busy bazaar would never answer one from memory.
   */
  | { readonly kind: 'numbersChanged'; readonly items: readonly ItemRef[] }
  /** Views of lessons were written: lists show other numbers now. Pages stay as they are for the seconds they are cached. */
  | { readonly kind: 'viewsCounted'; readonly items: readonly ItemRef[] }
  /** A name or a picture changed, which stands on every card and page of the person. */
  | { readonly kind: 'personRenamed'; readonly userId: string }
  /** An account is closed, and with it what of its items is undone at once. */
  | { readonly kind: 'personErased'; readonly userId: string }
  | { readonly kind: 'personSuspended'; readonly userId: string }
  /** All sessions of a person have ended, or all but one; with `tokensToo` the access tokens of programs as well. */
  | {
      readonly kind: 'sessionsRevoked'
      readonly userId: string
      readonly exceptSession: string | null
      readonly tokensToo?: boolean | undefined
    }
  /** One session has ended, by its person or because it was stolen; or an access token was revoked. */
  | { readonly kind: 'sessionEnded'; readonly userId: string; readonly sessionId: string }
  /** A message of the chat is stored by an HTTP call; the hub has not delivered it yet. */
  | { readonly kind: 'messageWritten'; readonly messageId: number }
  /** A person has read messages: the number of unread ones is another now. */
  | { readonly kind: 'messagesRead'; readonly userId: string }
  /** People were told of something, or have read it: their bells have another number. */
  | { readonly kind: 'noticed'; readonly userIds: readonly string[] }
  /** A certificate was withdrawn or revoked, or search engines may find it now, or no longer. */
  | { readonly kind: 'certificateChanged'; readonly code: string }
  /** Endpoints of webhooks were made, changed or removed: others may want to be told now. */
  | { readonly kind: 'webhooksChanged' }
  /** Other nodes may have changed anything without being heard: whatever is cached is to be read again. */
  | { readonly kind: 'changesMissed' }
  /** Another node ended without a goodbye: what it had stored and not yet told anybody of is to be asked for. */
  | { readonly kind: 'nodeLost' }

/** Where a change was published: by this process, or by another one that has notified this one. */
export type Origin = 'here' | 'elsewhere'

export interface Changes {
  /** To be called after the commit of what happened. Returns when all subscribers have been called; never throws. */
  publish(change: Change): void
  /** The same for what another node has published, which is not sent on to others. */
  receive(change: Change): void
  /**
   * Calls the listener with every change from now on, in the order of the subscriptions. What it throws is logged and
   * neither reaches who published nor keeps the others from hearing.
   */
  subscribe(listener: (change: Change, origin: Origin) => void): void
}

/** A bus without subscribers. */
export function createChanges(log: Pick<Log, 'error'>): Changes {
  const listeners: ((change: Change, origin: Origin) => void)[] = []
  const call = (change: Change, origin: Origin) => {
    for (const listener of listeners) {
      try {
        listener(change, origin)
      } catch (error) {
        log.error({ err: error, change: change.kind }, 'a subscriber of changes failed')
      }
    }
  }
  return {
    publish: (change) => call(change, 'here'),
    receive: (change) => call(change, 'elsewhere'),
    subscribe: (listener) => {
      listeners.push(listener)
    },
  }
}
