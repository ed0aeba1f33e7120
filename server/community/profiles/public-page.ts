/** Reads the public page of a person in one statement. */
import { sql } from 'kysely'
import type { PublicPage } from '#contract/profiles.ts'
import { RATINGS_SHOWN_FROM } from '#contract/limits.ts'
import {
  coursesOf,
  lessonsOf,
  offsetOf,
  toCards,
  type OwnItemRows,
} from '#server/community/profiles/own-items.ts'
import { followersOf } from '#server/items/follows/store.ts'
import { followsOwner, toFollowing } from '#server/items/shared/details/owner.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { notFound } from '#server/kernel/errors.ts'
import { personImage } from '#server/people/accounts/answer.ts'
import { findPersonByName } from '#server/people/accounts/claims.ts'
import type { Db } from '#server/platform/db/connect.ts'

/** The newest of each kind, so that the page costs the same for authors of a hundred thousand lessons. */
const MOST_RATED = sql.lit(1000)

interface PublicRow extends OwnItemRows {
  readonly id: string
  readonly username: string
  readonly picture: string | null
  readonly about: string | null
  readonly is_public: boolean
  readonly lessons: number
  readonly courses: number
  readonly ratings: number
  readonly rating: number | null
  readonly followers: number
  readonly following: boolean | null
}

export interface PublicPageRequest {
  readonly viewer: Viewer | null
  /** Current, or given up less than 180 days ago. */
  readonly name: string
  readonly lessons?: number | undefined
  readonly courses?: number | undefined
  readonly now: Date
}

/**
 * Guests don't see the pages of suspended people and of people who turned theirs off.
 * @throws Refusal 404
 */
export async function showPublicPage(db: Db, request: PublicPageRequest): Promise<PublicPage> {
  const { viewer } = request
  const id = await findPersonByName(db, request.name, request.now)
  const row = id === null ? undefined : await findPublicPage(db, id, request)
  if (row === undefined || (viewer === null && !row.is_public)) throw notFound('profileNotFound')
  return {
    id: row.id,
    userName: row.username,
    imageUrl: personImage(row.id, row.picture),
    about: row.about ?? '',
    counts: { lessons: row.lessons, courses: row.courses },
    rating: row.rating,
    ratings: row.ratings,
    followers: row.followers,
    ...toFollowing(row.following),
    public: row.is_public,
    ...toCards(row, viewer),
  }
}

async function findPublicPage(
  db: Db,
  id: string,
  { viewer, lessons, courses }: PublicPageRequest,
): Promise<PublicRow | undefined> {
  const viewerId = viewer?.id ?? null
  const own = (table: 'lessons' | 'courses') =>
    sql`${sql.raw(table)} item where item.owner_id = ${id} and item.deleted_at is null`
  const rated = (table: 'lessons' | 'courses') =>
    sql`(select ratings, rating_stars from ${own(table)} order by item.id desc limit ${MOST_RATED})`
  const { rows } = await sql<PublicRow>`
    with rated as (
      select coalesce(sum(ratings), 0)::integer as ratings, sum(rating_stars) as stars
      from (${rated('lessons')} union all ${rated('courses')}) items
    )
    select u.id, u.username, p.key as picture, u.about,
      not u.page_hidden and u.suspended_at is null as is_public,
      (select count(*)::integer from ${own('lessons')}) as lessons,
      (select count(*)::integer from ${own('courses')}) as courses,
      rated.ratings,
      case when rated.ratings >= ${sql.lit(RATINGS_SHOWN_FROM)}
        then round(rated.stars::numeric / rated.ratings, 1)::float8 end as rating,
      ${followersOf(id)} as followers, ${followsOwner(sql`u.id`, viewerId)} as following,
      ${lessonsOf(viewerId, id, offsetOf(lessons))} as own_lessons,
      ${coursesOf(viewerId, id, offsetOf(courses))} as own_courses
    from users u cross join rated left join pictures p on p.id = u.picture_id
    where u.id = ${id} and u.erased_at is null`.execute(db)
  return rows[0]
}
