/**
 * Lessons for a person, in one statement. Each step reads the newest few rows along an index, so that it costs the
 * same for a person with ten purchases and with ten thousand, and a tag of every lesson costs no more than a rare one.
 *
 * Its steps, by the names of its parts, and the index that each walks:
 * 1. `bought`, `held_courses`, `held`: what shows the viewer's taste, with a weight. The
 *    newest purchases and likes weigh most, then the first lessons of the newest courses
 *    (`*_purchases_newest`, `*_likes_newest`, `course_lessons_position`).
 * 2. `tastes`: the 8 tags that weigh most among these (`lesson_tags_lesson`).
 * 3. `companions`, `together`: up to 24 people who bought the same lessons, and what else they bought, counted
 *    (`lesson_purchases_lesson`, `lesson_purchases_newest`).
 * 4. `popular`: the 64 most viewed lessons, to fill up with (`lessons_by_views`).
 * 5. `found`: candidates, which are the 16 newest lessons of each tag (the key of `lesson_tags`), `together` and
 *    `popular`: at most 288, some of them twice.
 * 6. `ranked`: the candidates by the sum of their weights: tags, companions, popularity.
 * 7. `best`: from the best on, one by one until there are 24, those that are there, are not the viewer's own, and that
 *    they can't open yet. Each is a look-up by key.
 * 8. `page`: of these 8, first those in the reader's language. What is in another one is never hidden, it comes after.
 * 9. The cards of these 8.
 *
 * `materialized` and `offset 0` hold the plan to this order: without them the planner may merge two steps into one and
 * read all rows of a popular tag. The `case` looks for a course that opens a lesson only where it was not bought itself,
 * and sums are integers, because PostgreSQL adds up others as decimals.
 */
import { sql } from 'kysely'
import { spellTag } from '#contract/fold.ts'
import type { FreshLesson } from '#contract/home.ts'
import type { LessonCard } from '#contract/lessons.ts'
import { CAROUSEL_ITEMS } from '#contract/limits.ts'
import type { Locale } from '#contract/messages/messages.ts'
import type { Db } from '#server/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { cardColumns, cardJoins, toCard, type CardRow } from '#server/lessons/cards.ts'
import { isForeign } from '#server/items/languages.ts'
import { isBought, isOpenThroughCourse } from '#server/items/entitlement.ts'

/** Purchases and likes of the viewer that show a taste, newest first; of each kind. */
const HELD = sql.lit(20)
/** Courses bought and liked, and lessons of each. */
const HELD_COURSES = sql.lit(3)
const LESSONS_OF_COURSE = sql.lit(6)
/** Tags that count, and lessons looked at for each. */
const TAGS = sql.lit(8)
const LESSONS_OF_TAG = sql.lit(16)
/** Purchases whose other buyers count, how many of each, how many in all. */
const SHARED = sql.lit(8)
const BUYERS = sql.lit(12)
const COMPANIONS = sql.lit(24)
/** Purchases of theirs, and how many lessons of all these. */
const PURCHASES_OF_COMPANION = sql.lit(12)
const TOGETHER = sql.lit(96)
/** Popular lessons to pad with; who has all of these gets fewer. */
const POPULAR = sql.lit(64)

/** Of the best so many are looked at for those in the reader's language. */
const NEAR = sql.lit(3 * CAROUSEL_ITEMS)

/** Worth more than any place among the popular: how much a lesson held, one of a held course, and a companion's purchase weigh. */
const HELD_WEIGHT = sql.lit(200)
const COURSE_WEIGHT = sql.lit(100)
const TOGETHER_WEIGHT = sql.lit(300)

interface Row extends CardRow {
  /** Of the tags that show the viewer's taste, the one that weighs most among the lesson's; null: none. */
  readonly sharedTag: string | null
  /** People with the same purchases bought it. */
  readonly together: boolean
}

/**
 * Up to 8 lessons that the viewer neither made nor has: from the tags of what they bought and liked, from what
 * people with the same purchases bought, padded with popular ones; those in the reader's language first. What stands beside a lesson is in beside.ts.
 */
export async function listRecommended(
  db: Db,
  viewer: Viewer,
  language: Locale,
): Promise<LessonCard[]> {
  const fresh = await listFresh(db, viewer, language)
  return fresh.map(({ card }) => card)
}

/** The same, each with why it is among them. */
export async function listFresh(db: Db, viewer: Viewer, language: Locale): Promise<FreshLesson[]> {
  const rows = await findByTaste(db, viewer.id, language)
  return rows.map((row) => {
    const card = toCard(row, viewer)
    return { card, because: reasonOf(row, card.tags) }
  })
}

function reasonOf({ sharedTag, together }: Row, tags: readonly string[]): FreshLesson['because'] {
  if (sharedTag !== null) return { why: 'tag', tag: spellTag(sharedTag, tags) }
  return { why: together ? 'together' : 'popular', tag: null }
}

async function findByTaste(db: Db, viewerId: string, language: string): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with bought as materialized (
      select lesson_id, created_at from lesson_purchases where user_id = ${viewerId}
      order by created_at desc, lesson_id desc limit ${HELD}
    ), held_courses as (
      (select course_id from course_purchases where user_id = ${viewerId}
        order by created_at desc, course_id desc limit ${HELD_COURSES})
      union
      (select course_id from course_likes where user_id = ${viewerId}
        order by created_at desc, course_id desc limit ${HELD_COURSES})
    ), held as (
      select lesson_id, ${HELD_WEIGHT} as weight from bought
      union all (
        select lesson_id, ${HELD_WEIGHT} from lesson_likes where user_id = ${viewerId}
        order by created_at desc, lesson_id desc limit ${HELD}
      )
      union all select part.lesson_id, ${COURSE_WEIGHT} from held_courses, lateral (
        select lesson_id from course_lessons where course_id = held_courses.course_id
        order by position limit ${LESSONS_OF_COURSE}
      ) part
    ), tastes as materialized (
      select t.tag, sum(held.weight)::integer as weight from held join lesson_tags t on t.lesson_id = held.lesson_id
      group by t.tag order by weight desc, t.tag limit ${TAGS}
    ), companions as materialized (
      select other.user_id, count(*)::integer as shared
      from (select lesson_id from bought order by created_at desc, lesson_id desc limit ${SHARED}) mine, lateral (
        select p.user_id from lesson_purchases p
        where p.lesson_id = mine.lesson_id and p.user_id <> ${viewerId}
        order by p.user_id desc limit ${BUYERS}
      ) other
      group by other.user_id order by shared desc, other.user_id limit ${COMPANIONS}
    ), together as materialized (
      select theirs.lesson_id, sum(companions.shared)::integer as times from companions, lateral (
        select lesson_id from lesson_purchases p where p.user_id = companions.user_id
        order by created_at desc, lesson_id desc limit ${PURCHASES_OF_COMPANION}
      ) theirs
      group by theirs.lesson_id order by times desc, theirs.lesson_id desc limit ${TOGETHER}
    ), popular as materialized (
      select lesson_id, (${POPULAR} - row_number() over ())::integer as place from (
        select id as lesson_id from lessons where deleted_at is null order by views desc, id desc limit ${POPULAR}
      ) watched
    ), found as (
      select near.lesson_id from tastes, lateral (
        select lesson_id from lesson_tags where tag = tastes.tag order by lesson_id desc limit ${LESSONS_OF_TAG}
      ) near
      union all select lesson_id from together
      union all select lesson_id from popular
    ), ranked as materialized (
      select lesson_id, sum(score)::bigint as score from (
        select t.lesson_id, tastes.weight as score
        from (
          -- looked up by lesson: joined freely, the planner reads every lesson of each tag instead
          select lesson_id, tag from lesson_tags where lesson_id = any(array(select lesson_id from found)) offset 0
        ) t join tastes on tastes.tag = t.tag
        union all select lesson_id, times * ${TOGETHER_WEIGHT} from together
        union all select lesson_id, place from popular
      ) given group by lesson_id order by score desc, lesson_id desc
    ), best as materialized (
      -- from the best on, each looked at for itself, until there are enough
      select ranked.lesson_id as id, ranked.score from ranked, lateral (
        select from lessons l
        where l.id = ranked.lesson_id and l.deleted_at is null and l.owner_id <> ${viewerId}
          and case when ${isBought(viewerId)} then false else not ${isOpenThroughCourse(viewerId)} end
        limit 1
      ) missing
      order by ranked.score desc, ranked.lesson_id desc limit ${NEAR}
    ), page as (
      select best.id, best.score, ${isForeign(language)} as is_foreign
      from best join lesson_contents c on c.lesson_id = best.id
      order by is_foreign, best.score desc, best.id desc limit ${sql.lit(CAROUSEL_ITEMS)}
    )
    select ${cardColumns}, (
      select tastes.tag from tastes join lesson_tags own on own.tag = tastes.tag and own.lesson_id = l.id
      order by tastes.weight desc, tastes.tag limit 1
    ) as "sharedTag", exists (select from together where together.lesson_id = l.id) as together
    from page join lessons l on l.id = page.id ${cardJoins(viewerId)}
    order by page.is_foreign, page.score desc, l.id desc`.execute(db)
  return rows
}
