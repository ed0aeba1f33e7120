/**
 * Events for other programs (server/operate/webhooks). They are recorded in the transaction in which they happen, so they
 * are delivered if and only if it commits; unlike changes on the bus, they are stored.
 */
import type { WebhookEvent } from '#contract/webhooks.ts'
import type { Tx } from '#server/platform/db/connect.ts'

export interface Happening {
  readonly type: WebhookEvent
  /** Ids of the lessons, courses, comments, reports or people; one event may concern several. */
  readonly ids: readonly (number | string)[]
  /** The buyer, for `lesson.sold` and `course.sold`. */
  readonly buyerId?: string
  readonly at: Date
}

export interface Events {
  /** Stores the event for the endpoints that subscribe to it; does nothing without any. */
  record(tx: Tx, happening: Happening): Promise<void>
}

/** For demo content and seeds, which no program should hear of. */
export const NO_EVENTS: Events = {
  record: () => Promise.resolve(),
}
