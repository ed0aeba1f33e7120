import { courses, type Course } from '#contract/courses.ts'
import { REWARD_CHECKS_A_MINUTE } from '#contract/limits.ts'
import { listAlso } from '#server/items/courses/also.ts'
import { toCourseCard } from '#server/items/courses/cards.ts'
import { listChoices, requireOwnLessons } from '#server/items/courses/choice.ts'
import { createCourse } from '#server/items/courses/create.ts'
import { courseGone, findCourse, toCourse } from '#server/items/courses/details.ts'
import { editCourse } from '#server/items/courses/edit.ts'
import { courseCards } from '#server/items/courses/list.ts'
import { route, type Route } from '#server/kernel/call.ts'
import { courseRef, lessonRef } from '#server/platform/events/catalogue.ts'
import type { Core } from '#server/platform/core/core.ts'
import { createRate } from '#server/kernel/limits/rates.ts'
import { requireRight } from '#server/items/shared/access.ts'
import { createAlsoReader } from '#server/items/shared/also.ts'
import { listBought, listOwn, withTotal } from '#server/items/shared/listing.ts'
import { createLists } from '#server/items/shared/lists.ts'
import { judgeCourseReward } from '#server/people/points/course-rewards.ts'

export function routes(core: Core): Route[] {
  const { db, reads, clock, config, events } = core
  const checks = createRate(REWARD_CHECKS_A_MINUTE, config)
  const lists = createLists(core, 'course', courseCards)
  const readAlso = createAlsoReader(core, listAlso)
  // The pages of its lessons list the course, and its free preview opens or closes a lesson. `left` has removed
  // lessons.
  const publish = ({ id, lessons }: Pick<Course, 'id' | 'lessons'>, left: readonly number[]) => {
    const items = [...lessons.map((lesson) => lesson.id), ...left].map(lessonRef)
    events.publish({ type: 'items.changed', items: [courseRef(id), ...items] })
  }
  return [
    route(courses.all, async (context, query) => {
      return withTotal(context, await lists.page(query, context.viewer, query.page))
    }),
    route(courses.browse, ({ viewer }, query) => lists.browse(query, viewer, query.page)),
    route(courses.highest, ({ viewer }) => lists.top(viewer, 'likes')),
    route(courses.bought, async (context, query) =>
      withTotal(
        context,
        await listBought(reads.of(context.viewer), courseCards, context.viewer, query),
      ),
    ),
    route(courses.yours, async (context, { page = 1 }) =>
      withTotal(
        context,
        await listOwn(reads.of(context.viewer), courseCards, context.viewer, page),
      ),
    ),
    route(courses.show, async ({ viewer }, { id }) => {
      const now = clock.now()
      const row = await findCourse(db, id, viewer, now)
      if (row === null) throw courseGone()
      return toCourse(row, viewer, now)
    }),
    route(courses.also, async ({ viewer, locale }, { id }) => {
      const { because, rows } = await readAlso(id, viewer, locale)
      return { because, courses: rows.map((row) => toCourseCard(row, viewer)) }
    }),
    route(courses.choices, async ({ viewer }, { course }) => {
      if (course === undefined) return listChoices(db, viewer.id, null)
      const row = await findCourse(db, course, viewer, clock.now())
      if (row === null || row.leftToBuyers) throw courseGone()
      requireRight('edit', viewer, row.owner_id)
      return listChoices(db, row.owner_id, course)
    }),
    route(courses.create, async ({ viewer }, draft) => {
      const { course, event } = await createCourse(core, viewer, draft)
      if (event !== null) events.publish(event)
      return course
    }),
    route(courses.edit, async ({ viewer, method }, edit) => {
      const { course, left } = await editCourse(core, viewer, edit, method === 'PUT')
      publish(course, left)
      return course
    }),
    route(courses.checkReward, async ({ viewer }, { lessons }) => {
      checks.count(viewer.id)
      await requireOwnLessons(db, { ownerId: viewer.id, lessons })
      return judgeCourseReward(db, { userId: viewer.id, lessonIds: lessons })
    }),
  ]
}
