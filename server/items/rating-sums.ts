/**
 * Parts of statements that move what stands of ratings in the narrow tables: how many an item has, the sum of their
 * stars, and its rank, which follows from both and the site's mean. All of it is moved by the statement that writes the
 * ratings. Whoever moves it has locked the item's row with a statement before, so that what is read is what was
 * committed; the mean as well, which is why ranking.ts may change it at any time.
 */
import { sql, type RawBuilder } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import { TABLES } from '#server/items/tables.ts'

/**
 * Last part of a statement that writes ratings, to stand after `moved (item_id, ratings, stars)`: what came to each item
 * or, below zero, went from it.
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
 * The rank of the item `i` of which the rows `r` are the ratings, counted again; an aggregate. While the items are
 * given the ranks of another mean, its own: which of the two is right is seen afterwards.
 */
export function rankOf(kind: ItemKind): RawBuilder<number> {
  return sql<number>`(
    select case when known.ranked
      then rank_of_ratings(coalesce(sum(r.stars), 0), count(r.id), known.mean) else i.rating_rank end
    from rating_means known where known.kind = ${sql.lit(kind)}
  )`
}
