import { sql } from 'kysely'
import { foldTag } from '#contract/fold.ts'
import { LAST_PAGE, OF_TAG_COUNTED, PAGE_SIZE } from '#contract/limits.ts'
import type { TaggedAnswer } from '#contract/search.ts'
import { courseCards } from '#server/items/courses/list.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { createCardReader } from '#server/items/shared/listing.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { lessonCards } from '#server/items/lessons/list.ts'

const readLessons = createCardReader(lessonCards)
const readCourses = createCardReader(courseCards)

const ROWS = sql.lit(PAGE_SIZE)
const COUNTED = sql.lit(OF_TAG_COUNTED)

interface Found {
  readonly lessonIds: number[]
  readonly courseIds: number[]
  readonly lessons: number
  readonly courses: number
}

/**
 * Finds the ids of a page and the totals of lessons and courses with a tag, newest first. Reads the key of
 * `lesson_tags`, which has living lessons only, and finds courses of the newest `OF_TAG_COUNTED` lessons by
 * `course_lessons_lesson`, so that a common tag costs no more than others.
 */
async function findTagged(db: Db, tag: string, offset: number): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    with tagged as materialized (
      select lesson_id from lesson_tags where tag = ${tag}::text
      order by lesson_id desc limit ${COUNTED} + 1
    ), holding as materialized (
      select distinct held.course_id from (select lesson_id from tagged limit ${COUNTED}) newest
      join course_lessons held on held.lesson_id = newest.lesson_id
      join courses k on k.id = held.course_id and k.deleted_at is null
    )
    select
      array(
        select lesson_id from lesson_tags where tag = ${tag}::text
        order by lesson_id desc limit ${ROWS} offset (select ${offset}::bigint)
      ) as "lessonIds",
      array(
        select course_id from holding order by course_id desc limit ${ROWS} offset (select ${offset}::bigint)
      ) as "courseIds",
      (select count(*)::integer from tagged) as lessons,
      (select count(*)::integer from holding) as courses`.execute(db)
  return rows[0]
}

/** Empty for an unknown tag and beyond the last page. */
export async function listTagged(
  db: Db,
  viewer: Viewer | null,
  { tag, page = 1 }: { readonly tag: string; readonly page?: number | undefined },
): Promise<TaggedAnswer> {
  const offset = (Math.min(page, LAST_PAGE + 1) - 1) * PAGE_SIZE
  const found = await findTagged(db, foldTag(tag), offset)
  if (found === undefined) throw new Error('a select without a table gave no row')
  const isThere = page <= LAST_PAGE
  const [lessons, courses] = await Promise.all([
    isThere && found.lessonIds.length > 0 ? readLessons(db, found.lessonIds, viewer) : [],
    isThere && found.courseIds.length > 0 ? readCourses(db, found.courseIds, viewer) : [],
  ])
  return { lessons, courses, totals: { lessons: found.lessons, courses: found.courses } }
}

/** Normalizes a tag as contract/tags.ts does. */
export const storedTag = (given: string): string =>
  given.normalize('NFC').replaceAll(/\s+/gu, '').replaceAll('\0', '')
