/** What an item's page says of its owner: parts of the statement that reads the item. */
import { sql, type RawBuilder } from 'kysely'
import type { AuthorRecord, OwnerItems } from '#contract/items.ts'
import { OWNER_ITEMS_COUNTED, RATINGS_SHOWN_FROM, UNLOCKS_COUNTED } from '#contract/limits.ts'

/**
 * How much an owner has published, as JSON: their proof beside their name; living items only. A scalar subselect. It
 * reads `lessons_owner` and `courses_owner`, one entry further than is counted, so that somebody with a hundred
 * thousand lessons costs as little as anybody.
 */
export function ownerItems(ownerId: RawBuilder<unknown>): RawBuilder<OwnerItems> {
  const most = sql.lit(OWNER_ITEMS_COUNTED + 1)
  const counted = (table: 'lessons' | 'courses') => sql`(
    select count(*)::integer from (
      select from ${sql.raw(table)} own where own.owner_id = ${ownerId} and own.deleted_at is null limit ${most}
    ) counted
  )`
  return sql<OwnerItems>`json_build_object('lessons', ${counted('lessons')}, 'courses', ${counted('courses')})`
}

/**
 * Whether the viewer follows an owner, as an expression: one look into the key of `follows`. Null for guests, and for
 * the owner.
 */
export function followsOwner(
  ownerId: RawBuilder<unknown>,
  viewerId: string | null,
): RawBuilder<boolean | null> {
  return sql<boolean | null>`(
    select exists (select from follows own where own.follower_id = viewer.id and own.author_id = ${ownerId})
    from (select ${viewerId}::uuid as id) viewer where viewer.id <> ${ownerId}
  )`
}

/** As answers say it: not at all where nobody could follow. */
export const toFollowing = (follows: boolean | null): { following?: boolean } =>
  follows === null ? {} : { following: follows }

/** Of these many newest lessons, a tag of the author's is on a third at least. */
const NEWEST = sql.lit(100)

/**
 * What an owner has done here, as JSON: living items only, the newest 1,001 of each kind. A scalar subselect. It reads
 * `lessons_owner`, `courses_owner`, the key of `lesson_contents`, `lesson_purchases_lesson` and `course_purchases_course`.
 */
export function authorRecord(ownerId: RawBuilder<unknown>): RawBuilder<AuthorRecord> {
  const most = sql.lit(OWNER_ITEMS_COUNTED + 1)
  const mostSales = sql.lit(UNLOCKS_COUNTED + 1)
  const own = (table: 'lessons' | 'courses') =>
    sql`${sql.raw(table)} item where item.owner_id = ${ownerId} and item.deleted_at is null order by item.id`
  const sales = (kind: 'lesson' | 'course') => sql`
    select from ${sql.raw(`own_${kind}s`)} own, lateral (
      select from ${sql.raw(`${kind}_purchases`)} sale where sale.${sql.raw(`${kind}_id`)} = own.id limit ${mostSales}
    ) sold`
  return sql<AuthorRecord>`(
    with own_lessons as materialized (
      select item.id, item.ratings, item.rating_stars from ${own('lessons')} desc limit ${most}
    ), own_courses as materialized (
      select item.id, item.ratings, item.rating_stars from ${own('courses')} desc limit ${most}
    ), newest as materialized (
      select id from own_lessons order by id desc limit ${NEWEST}
    )
    select json_build_object(
      'since', least(
        (select item.created_at from ${own('lessons')} limit 1), (select item.created_at from ${own('courses')} limit 1)
      ),
      'tags', (
        select coalesce(json_agg(tag order by times desc, tag), '[]') from (
          select lower(given.tag) as tag, count(*) as times
          from newest, lateral (
            select tags from lesson_contents where lesson_id = newest.id limit 1
          ) c, unnest(c.tags) given (tag)
          group by lower(given.tag) having count(*) > 1 and 3 * count(*) >= (select count(*) from newest)
          order by times desc, tag limit 2
        ) common
      ),
      'unlocks', (
        select count(*) from (${sales('lesson')} union all ${sales('course')} limit ${mostSales}) counted
      ),
      'rating', (
        select case when sum(ratings) >= ${sql.lit(RATINGS_SHOWN_FROM)}
          then round(sum(rating_stars)::numeric / sum(ratings), 1)::float8 end
        from (
          select ratings, rating_stars from own_lessons union all select ratings, rating_stars from own_courses
        ) rated
      )
    )
  )`
}

/** As answers say it. */
export const toAuthorRecord = (record: AuthorRecord): AuthorRecord => ({
  ...record,
  since: new Date(record.since).toISOString(),
})
