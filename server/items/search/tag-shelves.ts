import { sql } from 'kysely'
import { spellTag } from '#contract/fold.ts'
import type { TagShelf } from '#contract/home.ts'
import { LOCALES, type Locale } from '#contract/messages/messages.ts'
import { createAnswerCache } from '#server/items/shared/caches/answer-cache.ts'
import { isForeign } from '#server/items/shared/languages.ts'
import type { Core } from '#server/platform/core/core.ts'
import { isStale } from '#server/platform/events/catalogue.ts'

/** Number of most viewed lessons whose tags are considered. */
const POPULAR = sql.lit(64)
const SHELVES = sql.lit(4)
/** A shelf with fewer lessons looks empty. */
const FEWEST = sql.lit(3)
const ON_SHELF = sql.lit(14)
/** Number of a tag's newest lessons among which those in the reader's language come first. */
const NEWEST = sql.lit(64)

const BOUNDS = { most: LOCALES.length, freshMs: 60_000 }

/**
 * Returns a function that reads the shelves of the home page: the most frequent tags of the most viewed lessons,
 * each with its newest lessons. Shelves and lessons in the reader's language come first. They are cached per
 * language for a minute, and any change of an item drops them. Reads `lessons_by_views`, `lesson_tags_lesson` and
 * the keys of `lesson_tags` and `lesson_contents`.
 */
export function createTagShelves({
  clock,
  events,
  reads,
}: Pick<Core, 'clock' | 'events' | 'reads'>): (locale: Locale) => Promise<TagShelf[]> {
  const cache = createAnswerCache<TagShelf[]>(clock, BOUNDS)
  events.subscribe((event) => {
    if (isStale(event, 'items')) cache.drop()
  })
  return (locale) =>
    cache.load(locale, async () => {
      const { rows } = await sql<ShelfRow>`
        with popular as materialized (
          select seen.id, not ${isForeign(locale)} as is_own from (
            select id from lessons where deleted_at is null order by views desc, id desc limit ${POPULAR}
          ) seen join lesson_contents c on c.lesson_id = seen.id
        ), counted as materialized (
          select given.tag, count(*) as times, count(*) filter (where is_own) as own_times from popular, lateral (
            select tag from lesson_tags where lesson_id = popular.id
          ) given group by given.tag
        ), shelves as materialized (
          select counted.tag, counted.times, counted.own_times from counted
          where (
            select count(*) from (select from lesson_tags where tag = counted.tag limit ${FEWEST}) few
          ) = ${FEWEST}
          order by counted.own_times desc, counted.times desc, counted.tag limit ${SHELVES}
        )
        select shelves.tag, (
          select json_agg(
            json_build_object('id', lesson.id, 'title', lesson.title, 'tags', lesson.tags) order by lesson.place
          ) from (
            select c.lesson_id as id, c.title, c.tags, row_number() over own_first as place from (
              select lesson_id from lesson_tags where tag = shelves.tag order by lesson_id desc limit ${NEWEST}
            ) newest join lesson_contents c on c.lesson_id = newest.lesson_id
            window own_first as (order by ${isForeign(locale)}, c.lesson_id desc)
            order by place limit ${ON_SHELF}
          ) lesson
        ) as lessons
        from shelves order by shelves.own_times desc, shelves.times desc, shelves.tag`.execute(
        reads.shared(null),
      )
      return rows.map(toShelf)
    })
}

/** `tag` is folded; the page shows it as its first lesson spells it. */
interface ShelfRow {
  readonly tag: string
  readonly lessons: { readonly id: number; readonly title: string; readonly tags: string[] }[]
}

function toShelf({ tag, lessons }: ShelfRow): TagShelf {
  return {
    tag: spellTag(
      tag,
      lessons.flatMap(({ tags }) => tags),
    ),
    lessons: lessons.map(({ id, title }) => ({ id, title })),
  }
}
