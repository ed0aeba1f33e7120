/** The tags that the front page shows as shelves. */
import { sql } from 'kysely'
import type { TagShelf } from '#contract/home.schemas.ts'
import { createAnswerCache } from '#server/items/caches/answer-cache.ts'
import type { Core } from '#server/kernel/core.ts'

/** So many of the most viewed lessons say which tags are read. */
const POPULAR = sql.lit(64)
const SHELVES = sql.lit(4)
/** A shelf of fewer looks forsaken. */
const FEWEST = sql.lit(3)
const ON_SHELF = sql.lit(14)

const BOUNDS = { most: 1, freshMs: 60_000 }

/**
 * Answers a verb that reads the shelves: the tags that most of the most viewed lessons have, each with its newest
 * lessons. They are the same for everybody and are read once a minute, and again after any change of an item.
 * Its walks: `lessons_by_views`, `lesson_tags_lesson`, the key of `lesson_tags`.
 */
export function createTagShelves({
  clock,
  changes,
  reads,
}: Pick<Core, 'clock' | 'changes' | 'reads'>): () => Promise<TagShelf[]> {
  const cache = createAnswerCache<TagShelf[]>(clock, BOUNDS)
  changes.subscribe(({ kind }) => {
    if (kind === 'itemsChanged' || kind === 'personErased' || kind === 'changesMissed') cache.drop()
  })
  return () =>
    cache.load('', async () => {
      const { rows } = await sql<TagShelf>`
        with popular as materialized (
          select id from lessons where deleted_at is null order by views desc, id desc limit ${POPULAR}
        ), counted as materialized (
          select own.tag, count(*) as times from popular, lateral (
            select tag from lesson_tags where lesson_id = popular.id
          ) own group by own.tag
        ), shelves as materialized (
          select counted.tag, counted.times, shelf.ids from counted, lateral (
            select array(
              select lesson_id from lesson_tags where tag = counted.tag order by lesson_id desc limit ${ON_SHELF}
            ) as ids
          ) shelf where cardinality(shelf.ids) >= ${FEWEST}
          order by counted.times desc, counted.tag limit ${SHELVES}
        )
        select shelves.tag, (
          select json_agg(json_build_object('id', c.lesson_id, 'title', c.title) order by c.lesson_id desc)
          from lesson_contents c where c.lesson_id = any(shelves.ids)
        ) as lessons
        from shelves order by shelves.times desc, shelves.tag`.execute(reads.shared(null))
      return rows
    })
}
