import type { MessageKey } from '#contract/messages/messages.ts'
import type { ItemKind } from '#contract/points.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { countLike, lockItem } from '#server/items/shared/counters.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, notFound } from '#server/kernel/errors.ts'
import { insertLike } from '#server/items/likes/store.ts'
import type { Event } from '#server/platform/events/catalogue.ts'
import { record } from '#server/platform/events/outbox.ts'

const MISSING: Record<ItemKind, MessageKey> = {
  lesson: 'lessonNotFound',
  course: 'courseNotFound',
}

interface Liking {
  readonly userId: string
  readonly kind: ItemKind
  readonly itemId: number
}

/**
 * Likes an item, locked or open, and returns its number of likes, and the event to publish.
 * @throws Refusal 404 when there is no such item, 409 for one's own item and for a second like
 */
export function like(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { userId, kind, itemId }: Liking,
): Promise<{ likes: number; event: Event }> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const item = await lockItem(tx, kind, itemId)
    if (item === null) throw notFound(MISSING[kind])
    if (item.ownerId === userId) throw conflict('likeOwn')
    if (!(await insertLike(tx, kind, { userId, itemId, at }))) throw conflict('alreadyLiked')
    const { ownerId } = item
    const event = { type: 'item.liked', item: { kind, id: itemId }, ownerId, userId } as const
    await record(tx, event, at)
    return { likes: await countLike(tx, kind, itemId), event }
  })
}
