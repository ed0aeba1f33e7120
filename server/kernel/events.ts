/**
 * What other programs may be told of (server/webhooks). Whoever does something of it records it in the transaction in
 * which it happens: so it is told if and only if it happened. Unlike a change on the bus it is stored.
 */
import type { WebhookEvent } from '#contract/webhooks.ts'
import type { Tx } from '#server/db/connect.ts'

/** Something that happened, by what it happened to. */
export interface Happening {
  readonly type: WebhookEvent
  /** Of the lessons, courses, comments, reports or people; several happen at once. */
  readonly ids: readonly (number | string)[]
  /** Who bought it, with `lesson.sold` and `course.sold`. */
  readonly buyerId?: string
  readonly at: Date
}

export interface Events {
  /** Stores what happened for those who listen; where nobody does, nothing is done. */
  record(tx: Tx, happening: Happening): Promise<void>
}

/** For what happens unheard: demo content, seeds. */
export const NO_EVENTS: Events = {
  record: () => Promise.resolve(),
}
