/**
 * Suggestions next to an open lesson: lessons of the same courses, then with the same subject, then lessons that its
 * buyers also bought, then popular ones. The candidates are the same for everybody and cached per node. Each request
 * filters them by owner and by the viewer's purchases.
 */
import { sql } from 'kysely'
import type { LessonCard } from '#contract/lessons.ts'
import { CAROUSEL_ITEMS } from '#contract/limits.ts'
import type { Locale } from '#contract/messages/messages.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { createAnswerCache } from '#server/items/shared/caches/answer-cache.ts'
import { isSameSubject, weighedTags } from '#server/items/shared/also.ts'
import { isForeign } from '#server/items/shared/languages.ts'
import { isBought, isOpenThroughCourse, isVideoGone } from '#server/items/shared/entitlement.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { cardColumns, cardJoins, toCard, type CardRow } from '#server/items/lessons/cards.ts'
import { isStale } from '#server/platform/events/catalogue.ts'

/** The newest courses that contain the lesson. */
const COURSES = sql.lit(3)
/** The first lessons of each of these courses. */
const LESSONS_OF_COURSE = sql.lit(12)
/** Maximum number of the lesson's tags. */
const TAGS = sql.lit(8)
/** The newest lessons of each of these tags. */
const LESSONS_OF_TAG = sql.lit(32)
/** Maximum number of the lesson's buyers. */
const BUYERS = sql.lit(24)
/** The newest purchases of each of these buyers. */
const PURCHASES_OF_BUYER = sql.lit(12)
/** Maximum number of lessons from all of these purchases. */
const CO_BOUGHT = sql.lit(96)
/** The most viewed lessons, which fill up the list. */
const POPULAR = sql.lit(64)

/**
 * Weights of a course, of shared tags and of a shared buyer. Each exceeds the largest possible sum of the weaker ones.
 */
const COURSE_WEIGHT = sql.lit(10_000_000)
const TAG_WEIGHT = sql.lit(10_000)
const BUYER_WEIGHT = sql.lit(100)

/** At most this number of one author's lessons come before those of others; the author's others come last. */
const OF_ONE_AUTHOR = sql.lit(2)
/** Number of best candidates among which those in the reader's language come first. */
const RERANKED = sql.lit(2 * CAROUSEL_ITEMS)
/** Cached per lesson. A viewer who already has most of these gets fewer suggestions. */
const CANDIDATES = sql.lit(64)

/** The candidates of one lesson take about 0.5 KB. Other people's purchases show after at most `freshMs`. */
const BOUNDS = { most: 2000, freshMs: 60_000 }

interface Row extends CardRow {
  /** The candidates as JSON, best first; null when they were cached. */
  readonly candidates: string | null
}

/**
 * Returns a function that reads up to 8 lessons, none of which the viewer made or can open already. Any change of
 * an item drops the cached candidates.
 */
export function createSuggestions({
  clock,
  events,
  reads,
}: Pick<Core, 'clock' | 'events' | 'reads'>): (
  lessonId: number,
  viewer: Viewer,
  language: Locale,
) => Promise<LessonCard[]> {
  const candidates = createAnswerCache<string>(clock, BOUNDS)
  events.subscribe((event) => {
    if (isStale(event, 'items')) candidates.drop()
  })
  return async (lessonId, viewer, language) => {
    const key = String(lessonId)
    const known = candidates.peek(key) ?? null
    const store = candidates.begin()
    const rows = await listSuggestions(reads.of(viewer), {
      viewerId: viewer.id,
      language,
      lessonId,
      known,
    })
    const found = rows[0]?.candidates ?? null
    if (found !== null) store(key, found)
    return rows.map((row) => toCard(row, viewer))
  }
}

/**
 * Reads the lessons. `known` are cached candidates as JSON; if given, `wanted` is empty, so the steps that search
 * for candidates read nothing. Otherwise they read `course_lessons_lesson`, `course_lessons_position`,
 * `lesson_tags_lesson`, the key of `lesson_tags`, `lesson_purchases_lesson`, `lesson_purchases_newest` and
 * `lessons_by_views`. `materialized` and `offset 0` fix the order of the steps; without them the planner may read
 * all lessons of a tag.
 */
export async function listSuggestions(
  db: Db,
  asked: { viewerId: string; language: string; lessonId: number; known: string | null },
): Promise<Row[]> {
  const { viewerId, language, lessonId, known } = asked
  const { rows } = await sql<Row>`
    with wanted as materialized (
      select ${lessonId}::bigint as lesson_id where ${known}::text is null
    ), siblings as materialized (
      select part.lesson_id from wanted, lateral (
        select held.course_id from course_lessons held
        join courses k on k.id = held.course_id and k.deleted_at is null
        where held.lesson_id = wanted.lesson_id order by held.course_id desc limit ${COURSES}
      ) course, lateral (
        select lesson_id from course_lessons where course_id = course.course_id
        order by position limit ${LESSONS_OF_COURSE}
      ) part
    ), tags as materialized (${weighedTags(sql`
      select tag from wanted, lateral (
        select tag from lesson_tags where lesson_id = wanted.lesson_id order by tag limit ${TAGS}
      ) first`)}
    ), together as materialized (
      select theirs.lesson_id, least(count(*), 99)::integer as times from wanted, lateral (
        select user_id from lesson_purchases where lesson_id = wanted.lesson_id
        order by user_id desc limit ${BUYERS}
      ) buyer, lateral (
        select lesson_id from lesson_purchases p where p.user_id = buyer.user_id
        order by created_at desc, lesson_id desc limit ${PURCHASES_OF_BUYER}
      ) theirs
      group by theirs.lesson_id order by times desc, theirs.lesson_id desc limit ${CO_BOUGHT}
    ), popular as materialized (
      select viewed.lesson_id, (${POPULAR} - row_number() over ())::integer as place from wanted, lateral (
        select id as lesson_id from lessons where deleted_at is null order by views desc, id desc limit ${POPULAR}
      ) viewed
    ), found as (
      select lesson_id from siblings
      union all select near.lesson_id from tags, lateral (
        select lesson_id from lesson_tags where tag = tags.tag order by lesson_id desc limit ${LESSONS_OF_TAG}
      ) near
      union all select lesson_id from together
      union all select lesson_id from popular
    ), scored as materialized (
      select lesson_id, sum(score)::bigint as score from (
        select distinct lesson_id, ${COURSE_WEIGHT} as score from siblings
        union all select shared.lesson_id, (${TAG_WEIGHT} * (1 + sum(tags.weight)))::bigint from (
          -- by lesson; with a free join the planner reads every lesson of each tag instead
          select lesson_id, tag from lesson_tags where lesson_id = any(array(select lesson_id from found)) offset 0
        ) shared join tags on tags.tag = shared.tag
        group by shared.lesson_id having ${isSameSubject('tags')}
        union all select lesson_id, times * ${BUYER_WEIGHT} from together
        union all select lesson_id, place from popular
      ) reasons group by lesson_id
    ), placed as (
      select scored.lesson_id, scored.score, row_number() over (
        partition by l.owner_id order by scored.score desc, scored.lesson_id desc
      ) > ${OF_ONE_AUTHOR} as is_filler
      from scored, lateral (
        select owner_id from lessons where id = scored.lesson_id and deleted_at is null offset 0
      ) l
      where scored.lesson_id <> ${lessonId}::bigint
    ), candidates as materialized (
      -- sorted, so that the next step finds the first ones without reading all
      select lesson_id, place from (
        select lesson_id, row_number() over () as place from (
          select lesson_id from placed order by is_filler, score desc, lesson_id desc limit ${CANDIDATES}
        ) best
        union all
        select given.lesson_id::bigint, given.place
        from json_array_elements_text(${known}::json) with ordinality given (lesson_id, place)
      ) merged order by place
    ), best as materialized (
      -- best first, each checked by key until there are enough
      select candidates.lesson_id as id, candidates.place from candidates, lateral (
        select from lessons l
        where l.id = candidates.lesson_id and l.deleted_at is null and l.owner_id <> ${viewerId}
          and not ${isVideoGone(sql`l.id`)}
          and case when ${isBought(viewerId)} then false else not ${isOpenThroughCourse(viewerId)} end
        limit 1
      ) available
      order by candidates.place limit ${RERANKED}
    ), page as (
      select best.id, best.place, ${isForeign(language)} as is_foreign
      from best join lesson_contents c on c.lesson_id = best.id
      order by is_foreign, best.place limit ${sql.lit(CAROUSEL_ITEMS)}
    )
    select ${cardColumns}, (
      select json_agg(candidates.lesson_id order by candidates.place)::text from candidates, wanted
    ) as candidates
    from page join lessons l on l.id = page.id ${cardJoins(viewerId)}
    order by page.is_foreign, page.place`.execute(db)
  return rows
}
