/**
 * Reads a profile in one read-only statement. If the viewer sees the e-mail for the first time in an hour, a second
 * statement on the primary records it.
 */
import { sql, type RawBuilder } from 'kysely'
import type { OwnProfile, Profile } from '#contract/profiles.ts'
import { personImage } from '#server/people/accounts/answer.ts'
import {
  commentSlice,
  newestCommentsOf,
  toReadable,
  type CommentSlice,
  type PersonsCommentColumns,
} from '#server/items/comments/list.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { followersOf, isFollowedBy } from '#server/items/follows/store.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { toAsker } from '#server/items/shared/entitlement.ts'
import type { Core } from '#server/platform/core/core.ts'
import { notFound } from '#server/kernel/errors.ts'
import { toBalance } from '#server/people/points/ledger.ts'
import {
  clampPage,
  coursesOf,
  lessonsOf,
  offsetOf,
  toCards,
  type OwnItemRows,
} from '#server/community/profiles/own-items.ts'
import { hasSeenEmail, hourBefore, showEmail } from '#server/community/profiles/emails.ts'

interface OwnRow {
  readonly net: number
  readonly likedLessons: number[]
  readonly likedCourses: number[]
  readonly boughtLessons: number[]
  readonly boughtCourses: number[]
}

interface ProfileRow extends OwnItemRows {
  readonly person_id: string
  readonly username: string
  readonly email: string
  readonly picture: string | null
  readonly role: string
  readonly hide_email: boolean
  readonly confirmed: boolean
  readonly previous_email: string | null
  readonly notices: boolean
  readonly about: string | null
  readonly page_hidden: boolean
  readonly suspended: boolean
  readonly may_see_email: boolean
  readonly lessons: number
  readonly courses: number
  readonly comments: number
  readonly followers: number
  readonly following: boolean
  readonly newest_comments: PersonsCommentColumns
}

/** Pages of the three lists, 1 by default. */
export interface ProfilePages {
  readonly lessons?: number | undefined
  readonly courses?: number | undefined
  readonly comments?: number | undefined
}

interface ProfileRequest {
  readonly viewer: Viewer
  readonly id: string
  readonly pages: ProfilePages
  readonly now: Date
}

/**
 * Reads a profile from the replica if there is one. The primary records who was shown an e-mail.
 * @throws Refusal 404 for a person who doesn't exist or was erased
 */
export async function showProfile(
  { db, reads }: Pick<Core, 'db' | 'reads'>,
  request: ProfileRequest,
): Promise<Profile> {
  const { viewer, id, pages, now } = request
  const from = reads.of(viewer)
  if (viewer.id === id) return showOwnProfile(from, viewer, now, pages)
  const asked = parametersOf(request)
  const row = await findProfile(from, asked, sql``)
  if (row === undefined) throw notFound('profileNotFound')
  if (row.may_see_email || row.hide_email) return toProfile(row, viewer, id)
  const view = { viewerId: viewer.id, now, hourAgo: asked.hourAgo, shownId: row.person_id }
  const email = await showEmail(db, view)
  return toProfile(email === null ? row : { ...row, email, may_see_email: true }, viewer, id)
}

/** @throws Refusal 404 when the account was erased */
export async function showOwnProfile(
  db: Db,
  viewer: Viewer,
  now: Date,
  pages: ProfilePages = {},
): Promise<OwnProfile> {
  const asked = parametersOf({ viewer, id: viewer.id, pages, now })
  const row = await findProfile<ProfileRow & OwnRow>(db, asked, ownColumns(viewer.id))
  if (row === undefined) throw notFound('profileNotFound')
  return { ...toProfile(row, viewer, viewer.id), ...toOwn(row) }
}

/** Parameters of the statements below. */
type ProfileParameters = {
  readonly id: string
  readonly viewerId: string
  readonly administers: boolean
  readonly hourAgo: Date
  /** Number of rows on the previous pages of each list. */
  readonly lessonsOffset: number
  readonly coursesOffset: number
} & CommentSlice

function parametersOf({ viewer, id, pages, now }: ProfileRequest): ProfileParameters {
  return {
    id,
    viewerId: viewer.id,
    administers: toAsker(viewer).administers,
    hourAgo: hourBefore(now),
    lessonsOffset: offsetOf(pages.lessons),
    coursesOffset: offsetOf(pages.courses),
    ...commentSlice(clampPage(pages.comments)),
  }
}

async function findProfile<Row extends ProfileRow>(
  db: Db,
  asked: ProfileParameters,
  extraColumns: RawBuilder<unknown>,
): Promise<Row | undefined> {
  const { id, viewerId } = asked
  const { rows } = await sql<Row>`
    with person as (
      select u.id, u.username, u.email, u.hide_email, u.role, u.email_confirmed_at, u.previous_email, u.notices, u.about, u.page_hidden,
        u.suspended_at is not null as suspended, p.key as picture
      from users u left join pictures p on p.id = u.picture_id where u.id = ${id} and u.erased_at is null
    )
    select person.id as person_id, person.username, person.email, person.picture, person.role, person.hide_email,
      person.email_confirmed_at is not null as confirmed, person.previous_email, person.notices, person.about, person.page_hidden, person.suspended, ${hasSeenEmail(asked)} as may_see_email,
      (select count(*) from lessons l where l.owner_id = ${id} and l.deleted_at is null) as lessons,
      (select count(*) from courses o where o.owner_id = ${id} and o.deleted_at is null) as courses,
      (
        select count(*) from comments m join lessons l on l.id = m.lesson_id
        where m.user_id = ${id} and m.deleted_at is null and l.deleted_at is null
      ) as comments,
      ${followersOf(id)} as followers, ${isFollowedBy(viewerId, id)} as following,
      ${lessonsOf(viewerId, id, asked.lessonsOffset)} as own_lessons,
      ${coursesOf(viewerId, id, asked.coursesOffset)} as own_courses,
      ${newestCommentsOf(id, asked)} as newest_comments${extraColumns}
    from person`.execute(db)
  return rows[0]
}

function toProfile(row: ProfileRow, viewer: Viewer, id: string) {
  const writer = { user_id: row.person_id, user_name: row.username, user_picture: row.picture }
  return {
    // Both spellings of the id and of the name are part of the public API.
    id,
    _id: id,
    username: row.username,
    userName: row.username,
    ...(row.may_see_email && { email: row.email }),
    imageUrl: personImage(id, row.picture),
    counts: { lessons: row.lessons, courses: row.courses, comments: row.comments },
    followers: row.followers,
    following: row.following,
    ...toCards(row, viewer),
    comments: toReadable(row.newest_comments, writer, viewer),
    ...(viewer.role === 'administrator' && { suspended: row.suspended }),
  }
}

/** Ids, newest first. Deleted items are left out, except bought ones that are kept for their buyers. */
function ownColumns(id: string): RawBuilder<unknown> {
  const isReadableByBuyers = sql`(i.deleted_at is null or i.kept_for_buyers)`
  const idsOf = (
    table: string,
    items: 'lesson' | 'course',
    visible = sql`i.deleted_at is null`,
  ) => sql`array(
    select t.${sql.raw(items)}_id from ${sql.table(table)} t
    join ${sql.table(`${items}s`)} i on i.id = t.${sql.raw(items)}_id
    where t.user_id = ${id} and ${visible}
    order by t.created_at desc, i.id desc
  )`
  return sql`,
    coalesce((select net from point_balances b where b.user_id = ${id}), 0) as net,
    ${idsOf('lesson_likes', 'lesson')} as "likedLessons", ${idsOf('course_likes', 'course')} as "likedCourses",
    ${idsOf('lesson_purchases', 'lesson', isReadableByBuyers)} as "boughtLessons",
    ${idsOf('course_purchases', 'course', isReadableByBuyers)} as "boughtCourses"`
}

function toOwn(row: ProfileRow & OwnRow) {
  const { likedLessons, likedCourses, boughtLessons, boughtCourses } = row
  const role = row.role === 'administrator' ? ('administrator' as const) : ('user' as const)
  return {
    ...toBalance(row.net),
    role,
    hideEmail: row.hide_email,
    emailConfirmed: row.confirmed,
    notices: row.notices,
    about: row.about ?? '',
    publicPage: !row.page_hidden,
    ...(row.previous_email !== null && { previousEmail: row.previous_email }),
    likedLessons,
    likedCourses,
    boughtLessons,
    boughtCourses,
  }
}
