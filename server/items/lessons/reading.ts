/**
 * Reads lessons for their viewers. Guests share a cached response, which is dropped when a change is published.
 */
import type { Lesson } from '#contract/lessons.ts'
import { createAnswerCache } from '#server/items/shared/caches/answer-cache.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { isStale, itemsOf } from '#server/platform/events/catalogue.ts'
import type { Core } from '#server/platform/core/core.ts'
import { toLesson } from '#server/items/lessons/details/details.ts'
import type { Discussions } from '#server/items/lessons/discussions.ts'
import { createCoursesOfLessons } from '#server/items/lessons/details/in-courses.ts'
import { recordOpening } from '#server/items/lessons/openings.ts'
import { toReturnable } from '#server/items/shared/details/returnable.ts'
import { findDiscussedLesson } from '#server/items/lessons/store.ts'
import { lessonGone } from '#server/items/lessons/writing.ts'

/** `most` counts characters. The maximum age is that of guests' lists. */
const BOUNDS = {
  most: 4_000_000,
  freshMs: 1000,
  sizeOf: (lesson: Lesson) => JSON.stringify(lesson).length,
}

/**
 * Returns a function that reads a lesson for a viewer, or for a guest (null). It throws Refusal 404 if the viewer
 * can't see such a lesson.
 */
export function createLessonReader(
  { db, clock, events, settings }: Pick<Core, 'db' | 'clock' | 'events' | 'settings'>,
  discussions: Discussions,
): (id: number, viewer: Viewer | null) => Promise<Lesson> {
  const ofGuests = createAnswerCache<Lesson>(clock, BOUNDS)
  const coursesOfLessons = createCoursesOfLessons({ clock, events })
  events.subscribe((event) => {
    if (isStale(event, 'items', 'names')) ofGuests.drop()
    else if (isStale(event, 'numbers', 'views')) {
      const moved = new Set(itemsOf(event).map((item) => `${item.kind} ${item.id}`))
      ofGuests.drop((_, key) => moved.has(`lesson ${key}`))
    }
  })
  const read = async (id: number, viewer: Viewer | null): Promise<Lesson> => {
    const discussion = discussions.begin(id)
    const courses = coursesOfLessons.begin(id)
    const now = clock.now()
    const row = await findDiscussedLesson(db, id, viewer, {
      ...discussion.known,
      knowsCourses: courses.isKnown,
      allowsTrust: settings.current.LESSON_ON_TRUST,
      now,
    })
    if (row === null) throw lessonGone()
    const mustRecord = viewer !== null && row.must_record
    // Read again, because the right to the lesson has just been returned.
    if (mustRecord && !(await recordOpening(db, viewer.id, id, now))) return read(id, viewer)
    return toLesson(row, viewer, {
      courses: courses.shown(row.courses),
      ownerItems: row.owner_items,
      follows: row.follows_owner,
      locked: row.locked,
      returnable: toReturnable(row.return_facts, now),
      comments: () => discussion.shownTo(viewer, row),
    })
  }
  return (id, viewer) =>
    viewer === null ? ofGuests.load(String(id), () => read(id, null)) : read(id, viewer)
}
