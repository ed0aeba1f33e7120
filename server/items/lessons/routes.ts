import { home } from '#contract/home.ts'
import { lessons } from '#contract/lessons.ts'
import { REWARD_CHECKS_A_MINUTE } from '#contract/limits.ts'
import { route, type Route } from '#server/kernel/call.ts'
import { isStale, lessonRef } from '#server/platform/events/catalogue.ts'
import type { Core } from '#server/platform/core/core.ts'
import { createRate } from '#server/kernel/limits/rates.ts'
import { createCountCache } from '#server/items/shared/caches/count-cache.ts'
import { createLesson } from '#server/items/lessons/create.ts'
import { editLesson } from '#server/items/lessons/edit.ts'
import { createNewest, lessonCards } from '#server/items/lessons/list.ts'
import { listBought, listOwn, withTotal } from '#server/items/shared/listing.ts'
import { createLists } from '#server/items/shared/lists.ts'
import { countAll } from '#server/items/shared/numbers.ts'
import { createAlsoLessons } from '#server/items/lessons/recommended/also.ts'
import { createSuggestions } from '#server/items/lessons/recommended/beside.ts'
import type { Discussions } from '#server/items/lessons/discussions.ts'
import { createLessonReader } from '#server/items/lessons/reading.ts'
import { listRecommended } from '#server/items/lessons/recommended/by-taste.ts'
import { checkLessonReward } from '#server/items/lessons/rewards/reward-check.ts'

export function routes(core: Core & { readonly discussions: Discussions }): Route[] {
  const { reads, clock, config, views, events } = core
  const checks = createRate(REWARD_CHECKS_A_MINUTE, config)
  const lists = createLists(core, 'lesson', lessonCards)
  const listSuggestions = createSuggestions(core)
  const readAlso = createAlsoLessons(core)
  const readNewest = createNewest(core)
  const readLesson = createLessonReader(core, core.discussions)
  const numbers = createCountCache(
    clock,
    () => countAll(reads.shared(null)),
    (counted) => counted.lessons,
  )
  events.subscribe((event) => {
    if (isStale(event, 'items')) numbers.forget()
  })
  return [
    route(home.numbers, () => numbers.get()),
    route(lessons.all, async (context, query) => {
      return withTotal(context, await lists.page(query, context.viewer, query.page))
    }),
    route(lessons.browse, ({ viewer }, query) => lists.browse(query, viewer, query.page)),
    route(lessons.popular, ({ viewer }) => lists.top(viewer, 'views')),
    route(lessons.recommended, ({ viewer, locale }, { lesson }) =>
      lesson === undefined
        ? listRecommended(reads.of(viewer), viewer, locale)
        : listSuggestions(lesson, viewer, locale),
    ),
    route(lessons.also, ({ viewer, locale }, { id }) => readAlso(id, viewer, locale)),
    route(lessons.newest, () => readNewest()),
    route(lessons.bought, async (context, query) =>
      withTotal(
        context,
        await listBought(reads.of(context.viewer), lessonCards, context.viewer, query),
      ),
    ),
    route(lessons.yours, async (context, { page = 1 }) =>
      withTotal(
        context,
        await listOwn(reads.of(context.viewer), lessonCards, context.viewer, page),
      ),
    ),
    route(lessons.show, async (context, { id }) => {
      const lesson = await readLesson(id, context.viewer)
      if (context.countsView) views.count(id, context)
      return lesson
    }),
    route(lessons.create, async ({ viewer }, draft) => {
      const { lesson, event } = await createLesson(core, viewer, draft)
      if (event !== null) events.publish(event)
      return lesson
    }),
    route(lessons.edit, async ({ viewer, method }, edit) => {
      const lesson = await editLesson(core, viewer, edit, method === 'PUT')
      events.publish({ type: 'items.changed', items: [lessonRef(lesson.id)] })
      return lesson
    }),
    route(lessons.checkReward, async ({ viewer }, draft) => {
      // Cleaning an article blocks the event loop for milliseconds, so the calls are limited.
      checks.count(viewer.id)
      const check = await checkLessonReward(core, viewer, draft)
      return { ...check, reason: check.rewardReason }
    }),
  ]
}
