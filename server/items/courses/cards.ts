import { sql, type RawBuilder } from 'kysely'
import type { CourseCard } from '#contract/courses.ts'
import { TAGS } from '#contract/limits.ts'
import {
  sharedCardColumns,
  sharedCardJoins,
  toSharedCard,
  type SharedCardRow,
} from '#server/items/shared/cards.ts'
import type { Viewer } from '#server/kernel/call.ts'

/** A course's tags are the first of its lessons' tags. */
export type CourseCardRow = SharedCardRow<'course'> & {
  /** Ids, in order. */
  readonly lessons: number[]
}

/** Each tag once, in the order of the lessons, and of the tags within each. */
const firstTags = sql`
  array(
    select label.tag
    from course_lessons held join lesson_contents inside on inside.lesson_id = held.lesson_id,
      unnest(inside.tags) with ordinality label (tag, place)
    where held.course_id = k.id
    group by label.tag order by min(array[held.position, label.place]) limit ${sql.lit(TAGS.max)}
  )`

/** They need `k` (courses) and the joins of `courseCardJoins`. */
export const courseCardColumns = sql`${sharedCardColumns('course')}, ${firstTags} as tags,
  array(select held.lesson_id from course_lessons held where held.course_id = k.id order by held.position) as lessons`

/** Joins what a card needs to `k` (courses). `viewerId` is null for guests. */
export function courseCardJoins(viewerId: string | null): RawBuilder<unknown> {
  return sharedCardJoins('course', viewerId)
}

export function toCourseCard(row: CourseCardRow, viewer: Viewer | null): CourseCard {
  return { ...toSharedCard('course', row, viewer), free: false, lessons: row.lessons }
}
