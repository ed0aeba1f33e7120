import { sql } from 'kysely'
import { courses, type CourseCard } from '#contract/courses.ts'
import {
  courseCardColumns,
  courseCardJoins,
  toCourseCard,
  type CourseCardRow,
} from '#server/items/courses/cards.ts'
import type { Reads } from '#server/platform/core/reads.ts'
import type { CardSource } from '#server/items/shared/listing.ts'
import { readAll } from '#server/items/shared/whole-list.ts'
import { wholeList, type WholeList } from '#server/kernel/http/whole-lists.ts'

export const courseCards: CardSource<CourseCardRow, CourseCard> = {
  kind: 'course',
  columns: courseCardColumns,
  joinPage: (viewerId) => sql`join courses k on k.id = page.id ${courseCardJoins(viewerId)}`,
  toCard: toCourseCard,
}

/** `GET /api/course/all` without a page. */
export function allCourses(reads: Reads): WholeList {
  return wholeList(courses.all, readAll(reads, courseCards))
}
