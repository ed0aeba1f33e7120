/** Parts of the statement that reads an item, about its owner. */
import { sql, type RawBuilder } from 'kysely'
import type { AuthorRecord, OwnerItems } from '#contract/items.ts'
import { OWNER_ITEMS_COUNTED, RATINGS_SHOWN_FROM, UNLOCKS_COUNTED } from '#contract/limits.ts'

/**
 * A scalar subselect with the numbers of an owner's published items as JSON. It reads one entry of `lessons_owner`
 * and `courses_owner` more than it counts, so the cost is the same for owners of a hundred thousand lessons.
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
 * An expression for whether the viewer follows an owner, which needs one lookup in the key of `follows`. Null for
 * guests and for the owner.
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

/** The field is absent for guests and owners, who can't follow. */
export const toFollowing = (follows: boolean | null): { following?: boolean } =>
  follows === null ? {} : { following: follows }

/** A tag is typical of an author if at least a third of this many newest lessons has it. */
const NEWEST = sql.lit(100)

/**
 * A scalar subselect with an owner's record as JSON, from the newest 1,001 living items of each kind. It reads
 * `lessons_owner`, `courses_owner`, the key of `lesson_contents`, `lesson_purchases_lesson` and
 * `course_purchases_course`.
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

export const toAuthorRecord = (record: AuthorRecord): AuthorRecord => ({
  ...record,
  since: new Date(record.since).toISOString(),
})
