/**
 * Other courses for a course's locked page: those that its buyers unlocked too or, if these are too few to mean
 * anything, courses whose lessons have the same subject. Courses in the reader's language come first.
 */
import { sql } from 'kysely'
import { CAROUSEL_ITEMS } from '#contract/limits.ts'
import {
  courseCardColumns,
  courseCardJoins,
  type CourseCardRow,
} from '#server/items/courses/cards.ts'
import type { Db } from '#server/platform/db/connect.ts'
import {
  type AlsoAsked,
  type AlsoRow,
  isSameSubject,
  weighedTags,
} from '#server/items/shared/also.ts'
import { isForeign } from '#server/items/shared/languages.ts'

/** Maximum number of the course's buyers, and of the newest purchases of each. */
const BUYERS = sql.lit(48)
const PURCHASES_OF_BUYER = sql.lit(12)
/** The most frequent tags of its lessons, and the newest lessons of each, of which only some are in a course. */
const TAGS = sql.lit(8)
const LESSONS_OF_TAG = sql.lit(48)
/** Maximum number of a lesson's newest courses. */
const COURSES_OF_LESSON = sql.lit(3)
/** Cached per course. There are more than are shown, because viewers may already have some of them. */
const CANDIDATES = sql.lit(16)
/** Fewer courses that others unlocked are a coincidence. */
const FEWEST = sql.lit(3)

/**
 * If candidates are given, the first steps find nothing, because they start from an empty `wanted`. Reads
 * `course_purchases_course`, `course_purchases_newest`, the keys of `course_lessons` and `lesson_tags`,
 * `lesson_tags_lesson`, `course_lessons_lesson` and the indexes of `weighedTags`, a few rows each, however many
 * people bought the course or lessons have its tags.
 */
export async function listAlso(
  db: Db,
  { id, known, viewerId, language }: AlsoAsked,
): Promise<(AlsoRow & CourseCardRow)[]> {
  const { rows } = await sql<AlsoRow & CourseCardRow>`
    with wanted as materialized (
      select ${id}::bigint as course_id where ${known}::text is null
    ), together as materialized (
      select theirs.course_id, count(*) as weight from wanted, lateral (
        select user_id from course_purchases where course_id = wanted.course_id order by user_id desc limit ${BUYERS}
      ) buyer, lateral (
        select course_id from course_purchases p where p.user_id = buyer.user_id
        order by created_at desc, course_id desc limit ${PURCHASES_OF_BUYER}
      ) theirs, lateral (
        select from courses k where k.id = theirs.course_id and k.deleted_at is null limit 1
      ) living
      where theirs.course_id <> ${id}::bigint group by theirs.course_id
    ), tags as materialized (${weighedTags(sql`
      select tag from wanted, lateral (
        select label.tag from course_lessons held, lateral (
          select tag from lesson_tags t where t.lesson_id = held.lesson_id order by tag limit ${TAGS}
        ) label
        where held.course_id = wanted.course_id
        group by label.tag order by count(*) desc, label.tag limit ${TAGS}
      ) most where (select count(*) from together) < ${FEWEST}`)}
    ), near as materialized (
      select found.course_id, sum(tags.weight) as weight from tags, lateral (
        select distinct held.course_id from (
          select lesson_id from lesson_tags where tag = tags.tag order by lesson_id desc limit ${LESSONS_OF_TAG}
        ) tagged, lateral (
          select course_id from course_lessons c where c.lesson_id = tagged.lesson_id order by course_id desc limit ${COURSES_OF_LESSON}
        ) held
      ) found
      where found.course_id <> ${id}::bigint
      group by found.course_id having ${isSameSubject('tags')}
    ), candidates as materialized (
      select course_id, is_unlocked, row_number() over () as place from (
        select course_id, is_unlocked from (
          select course_id, weight, true as is_unlocked from together where (select count(*) from together) >= ${FEWEST}
          union all select course_id, weight, false from near
        ) either order by weight desc, course_id desc limit ${CANDIDATES}
      ) best
      union all
      select (given.one ->> 0)::bigint, (given.one ->> 1)::boolean, given.place
      from json_array_elements(${known}::json) with ordinality given (one, place)
    ), best as materialized (
      select candidates.course_id as id, candidates.is_unlocked, candidates.place from candidates, lateral (
        select from courses k
        where k.id = candidates.course_id and k.deleted_at is null and k.owner_id is distinct from ${viewerId}::uuid
          and not exists (
            select from course_purchases sale where sale.course_id = k.id and sale.user_id = ${viewerId}::uuid
          )
        limit 1
      ) missing
      order by candidates.place limit ${CANDIDATES}
    ), page as (
      select best.*, ${isForeign(language)} as is_foreign
      from best join course_contents c on c.course_id = best.id
      order by is_foreign, best.place limit ${sql.lit(CAROUSEL_ITEMS)}
    )
    select ${courseCardColumns}, page.is_unlocked as "isUnlocked", (
      select json_agg(json_build_array(candidates.course_id, candidates.is_unlocked) order by candidates.place)::text
      from candidates, wanted
    ) as candidates
    from page join courses k on k.id = page.id ${courseCardJoins(viewerId)}
    order by page.is_foreign, page.place`.execute(db)
  return rows
}
