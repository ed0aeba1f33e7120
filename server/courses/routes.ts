/** Courses over HTTP: cards, details, create, edit. */
import type { CourseQuery } from '#contract/course-lists.schemas.ts'
import { courses } from '#contract/courses.schemas.ts'
import { REWARD_CHECKS_A_MINUTE } from '#contract/limits.ts'
import { listChoices, requireOwnLessons } from '#server/courses/choice.ts'
import { createCourse } from '#server/courses/create.ts'
import { courseGone, findCourse, toCourse } from '#server/courses/details.ts'
import { editCourse } from '#server/courses/edit.ts'
import { courseCards } from '#server/courses/list.ts'
import { route, type Route, type Viewer } from '#server/kernel/call.ts'
import { courseRef, lessonRef } from '#server/kernel/changes.ts'
import type { Core } from '#server/kernel/core.ts'
import { createRate, noRate } from '#server/kernel/queues/rates.ts'
import { requireRight } from '#server/items/access.ts'
import { createChipCounts } from '#server/items/counts.ts'
import {
  browse,
  listBought,
  listItems,
  listOwn,
  listTop,
  withTotal,
} from '#server/items/listing.ts'
import { judgeCourseReward } from '#server/points/course-rewards.ts'

/** The calls of courses. */
export function routes(core: Core): Route[] {
  const { db, clock, config, changes } = core
  const checks = config.RATE_LIMITS === 'on' ? createRate(REWARD_CHECKS_A_MINUTE) : noRate
  const chips = createChipCounts({ db, clock }, 'course')
  changes.subscribe(({ kind }) => {
    if (kind === 'itemsChanged' || kind === 'personErased') chips.forget()
  })
  // A free preview opens or closes its lesson's page too.
  const publish = (id: number, previews: readonly number[]) => {
    const items = [courseRef(id), ...previews.map(lessonRef)]
    changes.publish({ kind: 'itemsChanged', items })
  }
  const list = (query: CourseQuery, viewer: Viewer | null, page = 1) =>
    listItems(db, courseCards, query, viewer, { page, surelyMany: chips.surelyMany(query) })
  return [
    route(courses.all, async (context, query) => {
      return withTotal(context, await list(query, context.viewer, query.page))
    }),
    route(courses.browse, ({ viewer }, query) =>
      browse(
        query.page ?? 1,
        (page) => list(query, viewer, page),
        () => chips.of(query),
      ),
    ),
    route(courses.highest, ({ viewer }) => listTop(db, courseCards, viewer, 'likes')),
    route(courses.bought, async (context, { page = 1 }) =>
      withTotal(context, await listBought(db, courseCards, context.viewer, page)),
    ),
    route(courses.yours, async (context, { page = 1 }) =>
      withTotal(context, await listOwn(db, courseCards, context.viewer, page)),
    ),
    route(courses.show, async ({ viewer }, { id }) => {
      const row = await findCourse(db, id, viewer)
      if (row === null) throw courseGone()
      return toCourse(row, viewer)
    }),
    route(courses.choices, async ({ viewer }, { course }) => {
      if (course === undefined) return listChoices(db, viewer.id, null)
      const row = await findCourse(db, course, viewer)
      if (row === null || row.leftToBuyers) throw courseGone()
      requireRight('edit', viewer, row.owner_id)
      return listChoices(db, row.owner_id, course)
    }),
    route(courses.create, async ({ viewer }, draft) => {
      const { course, isNew } = await createCourse(core, viewer, draft)
      const { id, freePreview } = course
      if (isNew) publish(id, freePreview === null ? [] : [freePreview])
      return course
    }),
    route(courses.edit, async ({ viewer, method }, edit) => {
      const { course, previews } = await editCourse(core, viewer, edit, method === 'PUT')
      publish(course.id, previews)
      return course
    }),
    route(courses.checkReward, async ({ viewer }, { lessons }) => {
      checks.count(viewer.id)
      await requireOwnLessons(db, { ownerId: viewer.id, lessons })
      return judgeCourseReward(db, { userId: viewer.id, lessonIds: lessons })
    }),
  ]
}
