/** The verb: like. */
import type { MessageKey } from '#contract/messages/messages.ts'
import type { ItemKind } from '#contract/points.schemas.ts'
import type { Db } from '#server/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, notFound } from '#server/kernel/errors.ts'
import { insertLike } from '#server/likes/store.ts'

const MISSING: Record<ItemKind, MessageKey> = {
  lesson: 'lessonNotFound',
  course: 'courseNotFound',
}

/**
 * Likes an item, locked or open; that opens nothing. Answers its likes after it.
 * @throws Refusal 404 when there is none, 409 for one's own and for what one likes already: nothing changed then
 */
export async function like(
  { db, clock }: { db: Db; clock: Clock },
  viewer: Viewer,
  kind: ItemKind,
  itemId: number,
): Promise<{ likes: number }> {
  const [attempt] = await insertLike[kind](db, { userId: viewer.id, itemId, at: clock.now() })
  if (attempt === undefined || attempt.ownerId === null) throw notFound(MISSING[kind])
  if (attempt.ownerId === viewer.id) throw conflict('likeOwn')
  if (attempt.likes === null) throw conflict('alreadyLiked')
  return { likes: attempt.likes }
}
