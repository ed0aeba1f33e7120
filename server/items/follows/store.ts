/** The only module that writes the tables of follows. */
import { sql } from 'kysely'
import type { Followed, Following } from '#contract/follows.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { personImage } from '#server/people/accounts/answer.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'

/** State before a person follows another. */
export interface Before {
  readonly following: boolean
  /** The author has blocked the follower. */
  readonly isBlocked: boolean
  /** The follower has blocked the author. */
  readonly hasBlocked: boolean
  /** Number of people that the follower already follows. */
  readonly followed: number
}

/** Returns null for an unknown or erased id. */
export async function readFollowState(
  tx: Tx,
  followerId: string,
  authorId: string,
): Promise<Before | null> {
  const blocked = (by: string, whom: string) =>
    sql`exists (select from person_blocks b where b.user_id = ${by} and b.blocked_id = ${whom})`
  const { rows } = await sql<Before>`
    select ${blocked(authorId, followerId)} as "isBlocked", ${blocked(followerId, authorId)} as "hasBlocked",
      ${isFollowedBy(followerId, authorId)} as following,
      (select count(*) from follows f where f.follower_id = ${followerId}) as followed
    from users u where u.id = ${authorId} and u.erased_at is null`.execute(tx)
  return rows[0] ?? null
}

/**
 * Returns whether a person follows another, and the number of followers. Returns null for an unknown or erased id.
 */
export async function readFollowing(
  db: DbOrTx,
  followerId: string,
  authorId: string,
): Promise<Following | null> {
  const { rows } = await sql<Following>`
    select ${isFollowedBy(followerId, authorId)} as following, ${followersOf(authorId)} as followers
    from users u where u.id = ${authorId} and u.erased_at is null`.execute(db)
  return rows[0] ?? null
}

/** Returns an SQL expression. */
export function followersOf(authorId: string) {
  return sql<number>`coalesce((select c.followers from follow_counts c where c.author_id = ${authorId}), 0)`
}

/** Returns an SQL expression. */
export function isFollowedBy(followerId: string, authorId: string) {
  return sql<boolean>`exists (
    select from follows f where f.follower_id = ${followerId} and f.author_id = ${authorId}
  )`
}

/** Follows a person and updates the count in one statement. Idempotent. */
export async function insertFollow(
  tx: Tx,
  { followerId, authorId, at }: { followerId: string; authorId: string; at: Date },
): Promise<void> {
  await sql`
    with follow as (
      insert into follows (follower_id, author_id, created_at)
      values (${followerId}, ${authorId}, ${at}) on conflict do nothing returning author_id
    )
    insert into follow_counts as c (author_id, followers) select author_id, 1 from follow
    on conflict (author_id) do update set followers = c.followers + 1`.execute(tx)
}

/** Unfollows a person and updates the count. Idempotent. */
export async function deleteFollow(
  db: DbOrTx,
  followerId: string,
  authorId: string,
): Promise<void> {
  await sql`
    with gone as (
      delete from follows where follower_id = ${followerId} and author_id = ${authorId} returning author_id
    )
    update follow_counts c set followers = c.followers - 1 from gone where c.author_id = gone.author_id`.execute(
    db,
  )
}

/** Returns a page of the people that a person follows, newest first, and their total. */
export async function listFollowed(
  db: Db,
  followerId: string,
  page: number,
): Promise<{ people: Followed[]; total: number }> {
  type Row = { id: string; username: string; picture: string | null; date: Date }
  const { rows } = await sql<(Row | { id: null }) & { total: number }>`
    select listed.*, (select count(*) from follows f where f.follower_id = ${followerId}) as total
    from (select 1) once left join (
      select u.id, u.username, p.key as picture, f.created_at as date, f.id as place
      from (
        select * from follows where follower_id = ${followerId}
        order by id desc limit ${sql.lit(ROWS_PER_PAGE)} offset ${(page - 1) * ROWS_PER_PAGE}
      ) f join users u on u.id = f.author_id left join pictures p on p.id = u.picture_id
    ) listed on true
    order by listed.place desc`.execute(db)
  const people = rows
    .filter((row): row is Row & { total: number } => row.id !== null)
    .map(({ id, username, picture, date }) => ({
      id,
      userName: username,
      imageUrl: personImage(id, picture),
      date: date.toISOString(),
    }))
  return { people, total: rows[0]?.total ?? 0 }
}

/** `id` increases from one follower to the next. */
export interface Follower {
  readonly id: number
  readonly followerId: string
}

/**
 * Returns up to `most` followers after the id `after` (0 for the start) in the order of ids, for a job that pages
 * through all of them. New followers come last.
 */
export async function listFollowers(
  db: DbOrTx,
  authorId: string,
  { after, most }: { readonly after: number; readonly most: number },
): Promise<Follower[]> {
  const { rows } = await sql<Follower>`
    select id, follower_id as "followerId" from follows
    where author_id = ${authorId} and id > ${after} order by id limit ${most}`.execute(db)
  return rows
}

/** Deletes an erased person's follows, and up to `most` of their followers. Returns true if there may be more. */
export async function deleteBatch(db: Db, userId: string, most: number): Promise<boolean> {
  const { rows } = await sql<{ gone: number }>`
    with gone as (
      delete from follows where id in (
        (select id from follows where follower_id = ${userId} limit ${most})
        union (select id from follows where author_id = ${userId} order by id limit ${most})
      ) returning author_id
    ), fewer as (
      select author_id, count(*)::integer as many from gone group by author_id
    ), held as (
      -- in a fixed order, so that two erasures can't deadlock
      select c.author_id, fewer.many from follow_counts c join fewer using (author_id)
      order by c.author_id for update of c
    ), counted as (
      update follow_counts c set followers = c.followers - held.many
      from held where c.author_id = held.author_id
    )
    select count(*) as gone from gone`.execute(db)
  return (rows[0]?.gone ?? 0) > 0
}

/** Deletes the count of a person without followers. */
export async function deleteCount(db: Db, authorId: string): Promise<void> {
  await sql`delete from follow_counts where author_id = ${authorId} and followers = 0`.execute(db)
}
