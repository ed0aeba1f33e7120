/**
 * Lessons for a person, in one statement. Each step looks at the newest few along an index, so that it costs the
 * same for who bought ten and who bought ten thousand, and a tag that every lesson bears costs no more than a rare one.
 */
import { sql } from 'kysely'
import type { LessonCard } from '#contract/lessons.ts'
import { CAROUSEL_ITEMS } from '#contract/limits.ts'
import type { Db } from '#server/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { cardColumns, cardJoins, toCard, type CardRow } from '#server/lessons/cards.ts'
import { isBought, isOpenThroughCourse } from '#server/lessons/standing.ts'

/** Purchases and likes of the viewer that tell a taste, newest first; of each kind. */
const HELD = sql.lit(20)
/** Courses, and lessons of each. */
const HELD_COURSES = sql.lit(3)
const LESSONS_OF_COURSE = sql.lit(6)
/** Tags that count, and lessons looked at for each. */
const TAGS = sql.lit(8)
const LESSONS_OF_TAG = sql.lit(24)
/** Purchases whose other buyers count, how many of each, how many in all, and how many purchases of theirs. */
const SHARED = sql.lit(8)
const BUYERS = sql.lit(12)
const COMPANIONS = sql.lit(24)
const PURCHASES_OF_COMPANION = sql.lit(12)
/** Popular lessons to pad with; who has all of these gets fewer. */
const POPULAR = sql.lit(64)

/**
 * Up to 8 lessons that the viewer neither made nor has: from the tags of what they bought and liked, from what
 * people with the same purchases bought, padded with popular ones. `besideId`: the lesson they stand beside, whose
 * tags count most.
 */
export async function listRecommended(
  db: Db,
  viewer: Viewer,
  besideId: number | null,
): Promise<LessonCard[]> {
  const { rows } = await sql<CardRow>`
    with bought as materialized (
      select lesson_id, created_at from lesson_purchases where user_id = ${viewer.id}
      order by created_at desc, lesson_id desc limit ${HELD}
    ), held_courses as (
      (select course_id from course_purchases where user_id = ${viewer.id}
        order by created_at desc, course_id desc limit ${HELD_COURSES})
      union
      (select course_id from course_likes where user_id = ${viewer.id}
        order by created_at desc, course_id desc limit ${HELD_COURSES})
    ), held as (
      select ${besideId}::bigint as lesson_id, 12 as weight
      union all select lesson_id, 2 from bought
      union all (
        select lesson_id, 2 from lesson_likes where user_id = ${viewer.id}
        order by created_at desc, lesson_id desc limit ${HELD}
      )
      union all select part.lesson_id, 1 from held_courses, lateral (
        select lesson_id from course_lessons where course_id = held_courses.course_id
        order by position limit ${LESSONS_OF_COURSE}
      ) part
    ), tastes as materialized (
      select t.tag, sum(held.weight) as weight from held join lesson_tags t on t.lesson_id = held.lesson_id
      group by t.tag order by weight desc, t.tag limit ${TAGS}
    ), alike as (
      select near.lesson_id from tastes, lateral (
        select lesson_id from lesson_tags where tag = tastes.tag order by lesson_id desc limit ${LESSONS_OF_TAG}
      ) near
    ), companions as materialized (
      select other.user_id, count(*) as shared
      from (select lesson_id from bought order by created_at desc, lesson_id desc limit ${SHARED}) mine, lateral (
        select p.user_id from lesson_purchases p
        where p.lesson_id = mine.lesson_id and p.user_id <> ${viewer.id}
        order by p.user_id desc limit ${BUYERS}
      ) other
      group by other.user_id order by shared desc, other.user_id limit ${COMPANIONS}
    ), together as materialized (
      select theirs.lesson_id, sum(companions.shared) as times from companions, lateral (
        select lesson_id from lesson_purchases p where p.user_id = companions.user_id
        order by created_at desc, lesson_id desc limit ${PURCHASES_OF_COMPANION}
      ) theirs
      group by theirs.lesson_id
    ), popular as (
      select id as lesson_id from lessons where deleted_at is null order by views desc, id desc limit ${POPULAR}
    ), candidates as materialized (
      select lesson_id from alike union select lesson_id from together union select lesson_id from popular
    ), page as (
      select l.id, l.views, coalesce(likeness.score, 0) + 3 * coalesce(together.times, 0) as score
      from candidates join lessons l on l.id = candidates.lesson_id
      left join together on together.lesson_id = l.id
      left join lateral (
        select sum(tastes.weight) as score from lesson_tags t join tastes on tastes.tag = t.tag where t.lesson_id = l.id
      ) likeness on true
      where l.deleted_at is null and l.owner_id <> ${viewer.id} and l.id is distinct from ${besideId}::bigint
        and not ${isBought(viewer.id)} and not ${isOpenThroughCourse(viewer.id)}
      order by score desc, l.views desc, l.id desc limit ${sql.lit(CAROUSEL_ITEMS)}
    )
    select ${cardColumns} from page join lessons l on l.id = page.id ${cardJoins(viewer.id)}
    order by page.score desc, l.views desc, l.id desc`.execute(db)
  return rows.map((row) => toCard(row, viewer))
}
