import { CHANGES_AT_ONCE, RATINGS_A_MINUTE } from '#contract/limits.ts'
import type { ItemKind } from '#contract/points.ts'
import { ratings } from '#contract/ratings.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { ItemRef } from '#server/platform/events/catalogue.ts'
import type { Core } from '#server/platform/core/core.ts'
import { createRate } from '#server/kernel/limits/rates.ts'
import { Queue } from '#server/kernel/limits/queue.ts'
import { browseRatings, deleteRatings, restoreRatings } from '#server/items/ratings/desk.ts'
import { listRatings } from '#server/items/ratings/list.ts'
import { answerRating, rate, unanswerRating, unrate } from '#server/items/ratings/rating.ts'

export function routes(core: Core): Route[] {
  const { db, reads, clock, config, events } = core
  const limit = createRate(RATINGS_A_MINUTE, config)
  // Queues raters of the same item here. Waiting for the row lock would hold a connection.
  const queue = new Queue(CHANGES_AT_ONCE)
  const publish = (...items: readonly ItemRef[]) => events.publish({ type: 'items.counted', items })
  const { ofLesson, ofCourse, rateLesson, rateCourse, unrateLesson, unrateCourse } = ratings
  const ofKind = (
    kind: ItemKind,
    calls: [typeof ofLesson, typeof rateLesson, typeof unrateLesson],
  ): Route[] => [
    route(calls[0], ({ viewer }, { id, page }) =>
      listRatings(reads.of(viewer), viewer, { kind, id, page }),
    ),
    route(calls[1], async ({ viewer }, given) => {
      limit.count(viewer.id)
      const { rating, event } = await queue.run(`${kind} ${given.id}`, () =>
        rate(core, viewer, kind, given),
      )
      events.publish(event)
      return rating
    }),
    route(calls[2], async ({ viewer }, { id }) => {
      limit.count(viewer.id)
      await queue.run(`${kind} ${id}`, () => unrate(core, viewer, kind, id))
      publish({ kind, id })
      return null
    }),
  ]
  return [
    ...ofKind('lesson', [ofLesson, rateLesson, unrateLesson]),
    ...ofKind('course', [ofCourse, rateCourse, unrateCourse]),
    route(ratings.answer, async ({ viewer }, given) => {
      limit.count(viewer.id)
      const { rating, event } = await answerRating(core, viewer, given)
      events.publish(event)
      return rating
    }),
    route(ratings.unanswer, async ({ viewer }, { id }) => {
      publish(await unanswerRating(core, viewer, id))
      return null
    }),
    route(ratings.browse, ({ viewer }, query) =>
      browseRatings({ db: reads.of(viewer), now: clock.now() }, query),
    ),
    route(ratings.removeMany, async ({ viewer }, { ids }) => {
      publish(...(await deleteRatings({ db, clock }, viewer, ids)))
      return null
    }),
    route(ratings.restoreMany, async ({ viewer }, { ids }) => {
      const { items, ...answer } = await restoreRatings({ db, clock }, viewer, ids)
      publish(...items)
      return answer
    }),
  ]
}
