/**
 * Recommends lessons to a person in one statement. Each step reads a bounded number of the newest rows of an index,
 * so that many purchases or a tag of many lessons cost no more than few.
 */
import { sql } from 'kysely'
import { spellTag } from '#contract/fold.ts'
import type { FreshLesson } from '#contract/home.ts'
import type { LessonCard } from '#contract/lessons.ts'
import { CAROUSEL_ITEMS } from '#contract/limits.ts'
import type { Locale } from '#contract/messages/messages.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { cardColumns, cardJoins, toCard, type CardRow } from '#server/items/lessons/cards.ts'
import { isForeign } from '#server/items/shared/languages.ts'
import { isBought, isOpenThroughCourse, isVideoGone } from '#server/items/shared/entitlement.ts'

/** The viewer's newest purchases and likes that count, of each kind. */
const HELD = sql.lit(20)
/** Maximum number of bought and liked courses, and of lessons of each. */
const HELD_COURSES = sql.lit(3)
const LESSONS_OF_COURSE = sql.lit(6)
/** Maximum number of tags, and of lessons of each. */
const TAGS = sql.lit(8)
const LESSONS_OF_TAG = sql.lit(16)
/** Maximum number of purchases, of other buyers of each, and of buyers in all. */
const SHARED = sql.lit(8)
const BUYERS = sql.lit(12)
const COMPANIONS = sql.lit(24)
/** Maximum number of purchases of each buyer, and of lessons from all of them. */
const PURCHASES_OF_COMPANION = sql.lit(12)
const TOGETHER = sql.lit(96)
/** Popular lessons to fill up with. Viewers who have all of these get fewer. */
const POPULAR = sql.lit(64)

/** Number of best candidates among which those in the reader's language come first. */
const NEAR = sql.lit(3 * CAROUSEL_ITEMS)

/**
 * Weights of an own lesson, a lesson of an own course, and a companion's purchase. Each exceeds all popularity.
 */
const HELD_WEIGHT = sql.lit(200)
const COURSE_WEIGHT = sql.lit(100)
const TOGETHER_WEIGHT = sql.lit(300)

interface Row extends CardRow {
  /** The lesson's tag that weighs most in the viewer's taste; null if none does. */
  readonly sharedTag: string | null
  /** True if people with the same purchases bought it. */
  readonly together: boolean
}

/** Returns up to 8 lessons that the viewer neither made nor has, those in the reader's language first. */
export async function listRecommended(
  db: Db,
  viewer: Viewer,
  language: Locale,
): Promise<LessonCard[]> {
  const fresh = await listFresh(db, viewer, language)
  return fresh.map(({ card }) => card)
}

/** Returns the same lessons with the reason for each. */
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

/**
 * The steps by the names of their CTEs, with the indexes that they read:
 * 1. `bought`, `held_courses`, `held`: the lessons that show the viewer's taste, with weights. The newest purchases
 *    and likes weigh more than the first lessons of the newest courses (`*_purchases_newest`, `*_likes_newest`,
 *    `course_lessons_position`).
 * 2. `tastes`: the 8 tags that weigh most among these (`lesson_tags_lesson`).
 * 3. `companions`, `together`: up to 24 people who bought the same lessons, and counts of their other purchases
 *    (`lesson_purchases_lesson`, `lesson_purchases_newest`).
 * 4. `popular`: the 64 most viewed lessons, to fill up with (`lessons_by_views`).
 * 5. `found`: the candidates, which are the 16 newest lessons of each tag (the key of `lesson_tags`), `together`
 *    and `popular`: at most 288, with duplicates.
 * 6. `ranked`: the candidates by the sum of their weights from tags, companions and popularity.
 * 7. `best`: the 24 best that exist and that the viewer neither made nor can open, each checked by key.
 * 8. `page`: 8 of these, those in the reader's language first.
 *
 * `materialized` and `offset 0` fix the order of the steps: without them the planner may merge two steps and read
 * all rows of a popular tag. The `case` looks for a course that opens a lesson only if it was not bought itself.
 * Sums are cast to integers, because PostgreSQL returns sums of bigint as numeric.
 */
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
          -- by lesson; with a free join the planner reads every lesson of each tag instead
          select lesson_id, tag from lesson_tags where lesson_id = any(array(select lesson_id from found)) offset 0
        ) t join tastes on tastes.tag = t.tag
        union all select lesson_id, times * ${TOGETHER_WEIGHT} from together
        union all select lesson_id, place from popular
      ) given group by lesson_id order by score desc, lesson_id desc
    ), best as materialized (
      -- best first, each checked by key until there are enough
      select ranked.lesson_id as id, ranked.score from ranked, lateral (
        select from lessons l
        where l.id = ranked.lesson_id and l.deleted_at is null and l.owner_id <> ${viewerId}
          and not ${isVideoGone(sql`l.id`)}
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
