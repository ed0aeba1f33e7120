/** Announces changes of ratings and their answers within their transaction. */
import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/connect.ts'
import type { ItemRef } from '#server/platform/events/catalogue.ts'
import type { Events } from '#server/platform/events/events.ts'
import { happened } from '#server/platform/events/happening.ts'

export interface RatingEvent {
  readonly what: 'rated' | 'ratingChanged' | 'answered' | 'answerChanged'
  readonly ratingId: number
  readonly item: ItemRef
  /** The owner of the item, who writes the answer. */
  readonly ownerId: string
  /** The author of the rating. */
  readonly userId: string
  readonly at: Date
}

/**
 * Call it once for each rating and answer that is created or changed. The rating's author is notified of the first
 * answer; server/community/notices notifies the item's author of ratings, as with comments.
 */
export async function recordRating(
  events: Events,
  tx: Tx,
  { what, ratingId, item, ownerId, userId, at }: RatingEvent,
): Promise<void> {
  if (what === 'rated') await events.record(tx, { type: 'rating.created', ids: [ratingId], at })
  if (what === 'answered')
    await happened({
      kind: 'answered',
      person: sql`${userId}::uuid`,
      actors: sql`array[${ownerId}::uuid]`,
      item: { kind: item.kind, id: sql`${item.id}::bigint` },
      at,
      from: sql`(select) once`,
    }).execute(tx)
}
