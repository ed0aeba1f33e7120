import { sql, type RawBuilder } from 'kysely'
import { LAST_PAGE, RATINGS_SHOWN_FROM, ROWS_PER_PAGE, STARS } from '#contract/limits.ts'
import type { ItemKind } from '#contract/points.ts'
import type { ItemRatings } from '#contract/ratings.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { isThere, type Entitlement } from '#server/items/shared/access.ts'
import { entitlementColumns, isReadable } from '#server/items/shared/entitlement.ts'
import { TABLES } from '#server/items/shared/tables.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { notFound } from '#server/kernel/errors.ts'
import { courseEntitlement } from '#server/items/ratings/rights.ts'
import {
  ratingColumns,
  ratingJoins,
  toRating,
  type RatingRow,
} from '#server/items/ratings/store.ts'

interface Row extends Entitlement {
  readonly ratings: number
  readonly stars: number
  readonly spread: readonly number[]
  readonly entries: readonly RatingRow[]
  readonly own: RatingRow | null
}

/**
 * Returns the average, the distribution, a page of ratings, newest first, and the viewer's own, in one round trip.
 * @throws Refusal 404 when the viewer can't see such an item
 */
export async function listRatings(
  db: Db,
  viewer: Viewer | null,
  { kind, id, page = 1 }: { kind: ItemKind; id: number; page?: number | undefined },
): Promise<ItemRatings> {
  const { rows } = await sql<Row>`${statement(kind, id, viewer?.id ?? null, page)}`.execute(db)
  const [row] = rows
  if (row === undefined || !isThere(viewer, row))
    throw notFound(kind === 'lesson' ? 'lessonNotFound' : 'courseNotFound')
  const { ratings, stars, spread, entries, own } = row
  return {
    average: ratings < RATINGS_SHOWN_FROM ? null : Math.round((10 * stars) / ratings) / 10,
    count: ratings,
    spread: [...spread],
    entries: entries.map(toRating),
    own: own === null ? null : toRating(own),
  }
}

function statement(
  kind: ItemKind,
  id: number,
  viewerId: string | null,
  page: number,
): RawBuilder<Row> {
  const { narrow, alias, id: key } = TABLES[kind]
  const item = sql.raw(alias)
  const condition = sql`r.${sql.raw(key)} = ${id} and r.deleted_at is null`
  const entitlement = kind === 'lesson' ? entitlementColumns(viewerId) : courseEntitlement(viewerId)
  const size = page > LAST_PAGE ? 0 : ROWS_PER_PAGE
  const offset = (Math.min(page, LAST_PAGE) - 1) * ROWS_PER_PAGE
  return sql<Row>`
    with spread as materialized (
      select r.stars, count(*)::integer as given from ratings r where ${condition} group by r.stars
    )
    select ${entitlement}, ${item}.ratings, ${item}.rating_stars as stars,
      array(
        select coalesce((select given from spread where spread.stars = star), 0)
        from generate_series(${sql.lit(STARS.min)}, ${sql.lit(STARS.max)}) star order by star
      ) as spread,
      (
        select coalesce(json_agg(entry order by entry.id desc), '[]') from (
          select ${ratingColumns} from ratings r ${ratingJoins} where ${condition}
          order by r.id desc limit ${sql.lit(size)} offset ${offset}
        ) entry
      ) as entries,
      (
        select to_json(mine) from (
          select ${ratingColumns} from ratings r ${ratingJoins} where ${condition} and r.user_id = ${viewerId}::uuid
        ) mine
      ) as own
    from ${sql.raw(narrow)} ${item} where ${item}.id = ${id} and ${isReadable(alias)}`
}
