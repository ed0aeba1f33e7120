/**
 * What happened to a rating or its answer, told in the transaction in which it happened: the one place from which others
 * hear of it.
 */
import { sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import type { ItemRef } from '#server/kernel/changes.ts'
import type { Events } from '#server/kernel/events.ts'
import { happened } from '#server/notices/happening.ts'

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

/**
 * To be called once for each rating and answer that is given or changed. Who rated is told of the first answer; that the
 * author is told of a rating is done where events are noted (server/notices), as with comments.
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
