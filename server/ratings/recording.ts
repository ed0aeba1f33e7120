/**
 * What happened to a rating or its answer, told in the transaction in which it happened: the one place from which others
 * hear of it.
 */
import type { Tx } from '#server/db/connect.ts'
import type { ItemRef } from '#server/kernel/changes.ts'
import type { Events } from '#server/kernel/events.ts'

export interface RatingEvent {
  readonly what: 'rated' | 'ratingChanged' | 'answered' | 'answerChanged'
  readonly ratingId: number
  readonly item: ItemRef
  /** Who made the item; the author of an answer. */
  readonly ownerId: string
  /** Who rated. */
  readonly userId: string
  readonly at: Date
}

/** To be called once for each rating and answer that is given or changed. */
export async function recordRating(
  events: Events,
  tx: Tx,
  { what, ratingId, at }: RatingEvent,
): Promise<void> {
  if (what === 'rated') await events.record(tx, { type: 'rating.created', ids: [ratingId], at })
}
