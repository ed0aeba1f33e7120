/**
 * Other lessons for a lesson's locked page: those that its buyers unlocked too or, if these are too few to mean
 * anything, lessons with the same subject. Lessons in the reader's language come first.
 */
import { sql } from 'kysely'
import type { AlsoUnlocked } from '#contract/lessons.ts'
import { CAROUSEL_ITEMS } from '#contract/limits.ts'
import type { Locale } from '#contract/messages/messages.ts'
import type { Db } from '#server/platform/db/connect.ts'
import {
  type AlsoAsked,
  type AlsoRow,
  createAlsoReader,
  isSameSubject,
  weighedTags,
} from '#server/items/shared/also.ts'
import { isForeign } from '#server/items/shared/languages.ts'
import { isBought, isOpenThroughCourse, isVideoGone } from '#server/items/shared/entitlement.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { cardColumns, cardJoins, type CardRow, toCard } from '#server/items/lessons/cards.ts'

/** Maximum number of the lesson's buyers, and of the newest purchases of each. */
const BUYERS = sql.lit(48)
const PURCHASES_OF_BUYER = sql.lit(12)
/** Maximum number of the lesson's tags, and of the newest lessons of each. */
const TAGS = sql.lit(8)
const LESSONS_OF_TAG = sql.lit(32)
/** Cached per lesson. There are more than are shown, because viewers may already have some of them. */
const CANDIDATES = sql.lit(16)
/** Fewer lessons that others unlocked are a coincidence. */
const FEWEST = sql.lit(3)

/** Returns a function that reads the other lessons for a locked page. */
export function createAlsoLessons(
  core: Pick<Core, 'clock' | 'events' | 'reads'>,
): (id: number, viewer: Viewer | null, language: Locale) => Promise<AlsoUnlocked> {
  const read = createAlsoReader(core, listAlso)
  return async (id, viewer, language) => {
    const { because, rows } = await read(id, viewer, language)
    return { because, lessons: rows.map((row) => toCard(row, viewer)) }
  }
}

/**
 * Reads the lessons. `known` are cached candidates as JSON; if null, the first steps find them, which otherwise
 * start from an empty `wanted`. Reads `lesson_purchases_lesson`, `lesson_purchases_newest`, `lesson_tags_lesson`,
 * the key of `lesson_tags` and the indexes of `weighedTags`, a few rows each, however many people bought the
 * lesson or lessons have its tags.
 */
async function listAlso(
  db: Db,
  { id, known, viewerId, language }: AlsoAsked,
): Promise<(AlsoRow & CardRow)[]> {
  const { rows } = await sql<AlsoRow & CardRow>`
    with wanted as materialized (
      select ${id}::bigint as lesson_id where ${known}::text is null
    ), together as materialized (
      select theirs.lesson_id, count(*) as weight from wanted, lateral (
        select user_id from lesson_purchases where lesson_id = wanted.lesson_id order by user_id desc limit ${BUYERS}
      ) buyer, lateral (
        select lesson_id from lesson_purchases p where p.user_id = buyer.user_id
        order by created_at desc, lesson_id desc limit ${PURCHASES_OF_BUYER}
      ) theirs, lateral (
        select from lessons l where l.id = theirs.lesson_id and l.deleted_at is null limit 1
      ) living
      where theirs.lesson_id <> ${id}::bigint group by theirs.lesson_id
    ), tags as materialized (${weighedTags(sql`
      select tag from wanted, lateral (
        select tag from lesson_tags where lesson_id = wanted.lesson_id order by tag limit ${TAGS}
      ) first where (select count(*) from together) < ${FEWEST}`)}
    ), near as materialized (
      select shared.lesson_id, sum(tags.weight) as weight from (
        -- by lesson; with a free join the planner reads every lesson of each tag instead
        select lesson_id, tag from lesson_tags where lesson_id = any(array(
          select newest.lesson_id from tags, lateral (
            select lesson_id from lesson_tags where tag = tags.tag order by lesson_id desc limit ${LESSONS_OF_TAG}
          ) newest
        )) offset 0
      ) shared join tags on tags.tag = shared.tag
      where shared.lesson_id <> ${id}::bigint
      group by shared.lesson_id having ${isSameSubject('tags')}
    ), candidates as materialized (
      select lesson_id, is_unlocked, row_number() over () as place from (
        select lesson_id, is_unlocked from (
          select lesson_id, weight, true as is_unlocked from together where (select count(*) from together) >= ${FEWEST}
          union all select lesson_id, weight, false from near
        ) either order by weight desc, lesson_id desc limit ${CANDIDATES}
      ) best
      union all
      select (given.one ->> 0)::bigint, (given.one ->> 1)::boolean, given.place
      from json_array_elements(${known}::json) with ordinality given (one, place)
    ), best as materialized (
      select candidates.lesson_id as id, candidates.is_unlocked, candidates.place from candidates, lateral (
        select from lessons l
        where l.id = candidates.lesson_id and l.deleted_at is null and l.owner_id is distinct from ${viewerId}::uuid
          and not ${isVideoGone(sql`l.id`)}
          and case when ${isBought(viewerId)} then false else not ${isOpenThroughCourse(viewerId)} end
        limit 1
      ) missing
      order by candidates.place limit ${CANDIDATES}
    ), page as (
      select best.*, ${isForeign(language)} as is_foreign
      from best join lesson_contents c on c.lesson_id = best.id
      order by is_foreign, best.place limit ${sql.lit(CAROUSEL_ITEMS)}
    )
    select ${cardColumns}, page.is_unlocked as "isUnlocked", (
      select json_agg(json_build_array(candidates.lesson_id, candidates.is_unlocked) order by candidates.place)::text
      from candidates, wanted
    ) as candidates
    from page join lessons l on l.id = page.id ${cardJoins(viewerId)}
    order by page.is_foreign, page.place`.execute(db)
  return rows
}
