/**
 * Parts of statements that update a rated item's number of ratings, sum of stars and rank, which depends on both
 * and on the site's mean. The statement that writes the ratings updates all of them. An earlier statement must
 * have locked the item's row, so that it reads committed values, including the mean, which ranking.ts may
 * therefore change at any time.
 */
import { sql, type RawBuilder } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import { TABLES } from '#server/items/shared/tables.ts'

/**
 * The last part of a statement that writes ratings. It follows `moved (item_id, ratings, stars)`, the changes per
 * item, negative for removed ratings.
 */
export function ratedCte(kind: ItemKind): RawBuilder<unknown> {
  return sql`rated as (
    update ${sql.raw(TABLES[kind].narrow)} item set
      ratings = item.ratings + sums.ratings, rating_stars = item.rating_stars + sums.stars,
      rating_rank = rank_of_ratings(item.rating_stars + sums.stars, item.ratings + sums.ratings, known.mean)
    from (
      select item_id, sum(ratings)::integer as ratings, sum(stars)::integer as stars from moved group by item_id
    ) sums, rating_means known
    where item.id = sums.item_id and known.kind = ${sql.lit(kind)}
  )`
}

/**
 * An aggregate over the ratings `r` of the item `i` that computes its rank. While the ranks are being updated for
 * a new mean it returns the stored rank, because either may be right; a later check decides.
 */
export function rankOf(kind: ItemKind): RawBuilder<number> {
  return sql<number>`(
    select case when known.ranked
      then rank_of_ratings(coalesce(sum(r.stars), 0), count(r.id), known.mean) else i.rating_rank end
    from rating_means known where known.kind = ${sql.lit(kind)}
  )`
}
