/** Cards of courses: what every list of them selects and shows. */
import { sql, type RawBuilder } from 'kysely'
import type { CourseCard } from '#contract/courses.ts'
import { TAGS } from '#contract/limits.ts'
import {
  sharedCardColumns,
  sharedCardJoins,
  toSharedCard,
  type SharedCardRow,
} from '#server/items/cards.ts'
import type { Viewer } from '#server/kernel/call.ts'

/** What a statement with the columns and joins below gives for each course; its tags are the first of its lessons'. */
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

/** Needs `k` (courses) and the joins of `courseCardJoins`. */
export const courseCardColumns = sql`${sharedCardColumns('course')}, ${firstTags} as tags,
  array(select held.lesson_id from course_lessons held where held.course_id = k.id order by held.position) as lessons`

/** Joins to `k` (courses) what a card shows besides; `viewerId` null: a guest. */
export function courseCardJoins(viewerId: string | null): RawBuilder<unknown> {
  return sharedCardJoins('course', viewerId)
}

/** A card as the viewer sees it; null: a guest. */
export function toCourseCard(row: CourseCardRow, viewer: Viewer | null): CourseCard {
  return { ...toSharedCard('course', row, viewer), free: false, lessons: row.lessons }
}
