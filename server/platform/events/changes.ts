/**
 * The bus: folders publish what changed, and caches and the hub subscribe without the publisher knowing them. A
 * change carries only ids, so it can be sent to other nodes as it is (server/platform/nodes/bus.ts).
 */
import type { ItemKind } from '#contract/points.ts'
import type { Log } from '#server/kernel/log.ts'

export type ItemRef = { readonly kind: ItemKind; readonly id: number }

export const lessonRef = (id: number): ItemRef => ({ kind: 'lesson', id })

export const courseRef = (id: number): ItemRef => ({ kind: 'course', id })

/**
 * These are types, not interfaces, because TypeScript gives interfaces no implicit index signature, which plain
 * data needs.
 */
export type Change =
  /**
   * Items were created, edited or deleted, or are shown by items that were: their pages and every list are stale.
   */
  | { readonly kind: 'itemsChanged'; readonly items: readonly ItemRef[] }
  /**
   * Likes or comments of items were counted again, so their own pages are stale. Lists stay cached for a few
   * seconds: if each like dropped them, a busy site would never serve one from memory.
   */
  | { readonly kind: 'numbersChanged'; readonly items: readonly ItemRef[] }
  /** Views of lessons were written, so lists are stale. Pages stay cached for a few seconds. */
  | { readonly kind: 'viewsCounted'; readonly items: readonly ItemRef[] }
  /** A name or a picture changed, which every card and page of the person shows. */
  | { readonly kind: 'personRenamed'; readonly userId: string }
  /** An account was closed, together with the parts of its items that are removed at once. */
  | { readonly kind: 'personErased'; readonly userId: string }
  | { readonly kind: 'personSuspended'; readonly userId: string }
  /** All sessions of a person ended, or all but one; with `tokensToo`, also the access tokens of programs. */
  | {
      readonly kind: 'sessionsRevoked'
      readonly userId: string
      readonly exceptSession: string | null
      readonly tokensToo?: boolean | undefined
    }
  /** One session ended, because its person ended it or it was stolen; or an access token was revoked. */
  | { readonly kind: 'sessionEnded'; readonly userId: string; readonly sessionId: string }
  /** An HTTP call stored a chat message that the hub hasn't delivered yet. */
  | { readonly kind: 'messageWritten'; readonly messageId: number }
  /** A person read messages, so their number of unread messages changed. */
  | { readonly kind: 'messagesRead'; readonly userId: string }
  /** People received or read notices, so the numbers on their bells changed. */
  | { readonly kind: 'noticed'; readonly userIds: readonly string[] }
  /** A certificate was withdrawn or revoked, or its visibility to search engines changed. */
  | { readonly kind: 'certificateChanged'; readonly code: string }
  /** Webhook endpoints were created, changed or removed, so subscriptions to events may have changed. */
  | { readonly kind: 'webhooksChanged' }
  /** Changes of other nodes may have been lost, so every cache must be read again. */
  | { readonly kind: 'changesMissed' }
  /**
   * Another node ended without announcing it, so subscribers must look for stored work that it hadn't passed on.
   */
  | { readonly kind: 'nodeLost' }

/** Whether this process published the change or received it from another node. */
export type Origin = 'here' | 'elsewhere'

export interface Changes {
  /** Call it after the commit. Returns when all subscribers have been called; never throws. */
  publish(change: Change): void
  /** Like `publish`, for a change of another node, which isn't sent on. */
  receive(change: Change): void
  /**
   * Calls listeners in the order of their subscriptions. An exception in one is logged and affects neither the
   * publisher nor the other listeners.
   */
  subscribe(listener: (change: Change, origin: Origin) => void): void
}

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
