/** Lists of courses. */
import { sql } from 'kysely'
import { courses, type CourseCard } from '#contract/courses.schemas.ts'
import type { CourseQuery } from '#contract/course-lists.schemas.ts'
import {
  courseCardColumns,
  courseCardJoins,
  toCourseCard,
  type CourseCardRow,
} from '#server/courses/cards.ts'
import type { Db } from '#server/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { wholeList, type WholeList } from '#server/kernel/http/whole-lists.ts'
import {
  listHeld,
  listItems,
  listTop,
  type CardSource,
  type Listed,
} from '#server/items/listing.ts'
import { isReadable } from '#server/items/entitlement.ts'
import { readAll } from '#server/items/whole-list.ts'

export const courseCards: CardSource<CourseCardRow, CourseCard> = {
  kind: 'course',
  columns: courseCardColumns,
  joinPage: (viewerId) => sql`join courses k on k.id = page.id ${courseCardJoins(viewerId)}`,
  toCard: toCourseCard,
}

/** One page of what a query finds; see listItems. */
export function listCourses(
  db: Db,
  query: CourseQuery,
  viewer: Viewer | null,
  page: number,
  surelyMany = false,
): Promise<Listed<CourseCard>> {
  return listItems(db, courseCards, query, viewer, { page, surelyMany })
}

/** `GET /api/course/all` without a page. */
export function allCourses(db: Db): WholeList {
  return wholeList(courses.all, readAll(db, courseCards))
}

/** The 8 most liked. */
export function listHighest(db: Db, viewer: Viewer | null): Promise<CourseCard[]> {
  return listTop(db, courseCards, viewer, 'likes')
}

/** What the viewer bought, newest purchase first. */
export function listBoughtCourses(
  db: Db,
  viewer: Viewer,
  page: number,
): Promise<Listed<CourseCard>> {
  const held = sql`
    select p.course_id as id, p.created_at as at from course_purchases p
    join courses k on k.id = p.course_id where p.user_id = ${viewer.id} and ${isReadable('k')}`
  return listHeld(db, courseCards, viewer, { page, held })
}

/** What the viewer made, newest first. */
export function listOwnCourses(db: Db, viewer: Viewer, page: number): Promise<Listed<CourseCard>> {
  const held = sql`
    select k.id, k.created_at as at from courses k where k.owner_id = ${viewer.id} and k.deleted_at is null`
  return listHeld(db, courseCards, viewer, { page, held })
}
