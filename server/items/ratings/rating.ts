import type { ItemKind } from '#contract/points.ts'
import type { Rating } from '#contract/ratings.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { isThere, rightsOf } from '#server/items/shared/access.ts'
import { refuseUnconfirmed, type Viewer } from '#server/kernel/call.ts'
import type { Event, ItemRef } from '#server/platform/events/catalogue.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { record } from '#server/platform/events/outbox.ts'
import { conflict, forbidden, notFound } from '#server/kernel/errors.ts'
import { logAct } from '#server/people/moderation/log.ts'
import { judgeRatingLater } from '#server/items/ratings/judging.ts'
import { findRater, lockItem } from '#server/items/ratings/rights.ts'
import {
  findOwn,
  findRating,
  lockStanding,
  putAnswer,
  putRating,
  takeBack,
} from '#server/items/ratings/store.ts'

export interface RatingNeeds {
  readonly db: Db
  readonly clock: Clock
}

interface Given {
  readonly id: number
  readonly stars: number
  readonly text?: string | undefined
}

const MISSING: Readonly<Record<ItemKind, MessageKey>> = {
  lesson: 'lessonNotFound',
  course: 'courseNotFound',
}

/**
 * Rates an item that the viewer unlocked and opened, or changes their rating. Returns it and the event to publish.
 * @throws Refusal 404 when the item doesn't exist, 403 for its author and for people who have not unlocked it, 409
 * until they have opened it
 */
export function rate(
  { db, clock }: RatingNeeds,
  viewer: Viewer,
  kind: ItemKind,
  { id, stars, text }: Given,
): Promise<{ rating: Rating; event: Event }> {
  const at = clock.now()
  const own = { kind, itemId: id, userId: viewer.id }
  return db.transaction().execute(async (tx) => {
    const rater = (await lockItem(tx, kind, id)) ? await findRater(tx, kind, id, viewer.id) : null
    if (rater === null || !isThere(viewer, rater)) throw notFound(MISSING[kind])
    if (!rightsOf(viewer, rater).rate) throw forbidden()
    if (!rater.opened) throw conflict('rateNotOpened')
    const put = await putRating(tx, { ...own, stars, text, at })
    const rating = put?.rating ?? (await findOwn(tx, own))
    if (rating === null) throw notFound('ratingNotFound')
    const item = { kind, id }
    const counted = { type: 'items.counted', items: [item] } as const
    if (put === null) return { rating, event: counted }
    if (text !== undefined) await judgeRatingLater(tx, rating.id)
    if (!put.isNew) return { rating, event: counted }
    const people = { ownerId: rater.ownerId, userId: viewer.id }
    const event = { type: 'rating.created', ratingId: rating.id, stars, item, ...people } as const
    await record(tx, event, at)
    return { rating, event }
  })
}

/** Withdraws the viewer's rating of an item. @throws Refusal 404 when there is none */
export function unrate(
  { db, clock }: RatingNeeds,
  viewer: Viewer,
  kind: ItemKind,
  id: number,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const own = { kind, itemId: id, userId: viewer.id, at: clock.now() }
    const gone = (await lockItem(tx, kind, id)) ? await takeBack(tx, own) : null
    if (gone === null) throw notFound('ratingNotFound')
  })
}

/**
 * Answers a rating of the viewer's item, or edits the answer. Returns the rating and the event to publish.
 * @throws Refusal 404 when there is no such rating, 403 for everybody else, including administrators
 */
export function answerRating(
  { db, clock }: RatingNeeds,
  viewer: Viewer,
  { id, text }: { readonly id: number; readonly text: string },
): Promise<{ rating: Rating; event: Event }> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const existing = await lockStanding(tx, id)
    if (existing === null) throw notFound('ratingNotFound')
    const { kind, itemId, ownerId, userId, answer } = existing
    if (ownerId !== viewer.id) throw forbidden()
    const item = { kind, id: itemId }
    const event =
      answer === null
        ? ({ type: 'rating.answered', item, ownerId, userId } as const)
        : ({ type: 'items.counted', items: [item] } as const)
    if (answer !== text) await putAnswer(tx, id, { text, at })
    if (event.type === 'rating.answered') await record(tx, event, at)
    const rating = await findRating(tx, id)
    if (rating === null) throw notFound('ratingNotFound')
    return { rating, event }
  })
}

/**
 * Deletes the answer to a rating. Returns the item.
 * @throws Refusal 404 when there is none, 403 for people who are neither its author nor an administrator
 */
export function unanswerRating(
  { db, clock }: RatingNeeds,
  viewer: Viewer,
  id: number,
): Promise<ItemRef> {
  return db.transaction().execute(async (tx) => {
    const existing = await lockStanding(tx, id)
    if (existing === null) throw notFound('ratingNotFound')
    const { kind, itemId, ownerId, answer } = existing
    if (ownerId !== viewer.id && viewer.role !== 'administrator') throw forbidden()
    if (answer === null) throw notFound('ratingAnswerNotFound')
    if (ownerId !== viewer.id) {
      refuseUnconfirmed(viewer)
      await logAct(tx, {
        actorId: viewer.id,
        action: 'ratingAnswerDeleted',
        subjectId: id,
        subject: answer,
        personId: ownerId,
        at: clock.now(),
      })
    }
    await putAnswer(tx, id, null)
    return { kind, id: itemId }
  })
}
