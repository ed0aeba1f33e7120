/**
 * Reads the front page of a signed-in person: what to continue, statistics of their own items, and their first
 * steps.
 */
import { sql } from 'kysely'
import type { Stall } from '#contract/home.ts'
import { unreadOf } from '#server/community/chat/store.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { newOfFollowedBy, toFollowed, type NewOfFollowed } from '#server/items/follows/new-items.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { utcDay } from '#server/kernel/clock.ts'
import { toCourseCard, type CourseCardRow } from '#server/items/courses/cards.ts'
import { courseCards } from '#server/items/courses/list.ts'
import { outOfJson, type InJson } from '#server/items/shared/cards.ts'
import { topInJson } from '#server/items/shared/listing.ts'
import { toCard, type CardRow } from '#server/items/lessons/cards.ts'
import { lessonCards } from '#server/items/lessons/list.ts'
import { type Begun, begunBy, toContinue } from '#server/items/progress/continuing.ts'

/** Considers only this many of the owner's newest items, so that the cost has a limit. */
const ITEMS = sql.lit(500)
/** Limit of counted sales and comments per item. */
const SALES = sql.lit(10_000)
const COMMENTS = sql.lit(50)
const DAYS_BEFORE = 6
const DAY_MS = 24 * 60 * 60 * 1000

/** Everything except new lessons, which a separate statement finds. */
type Own = Omit<Stall, 'fresh'>

interface Row {
  readonly views: number
  readonly unlocks: number
  readonly comments: number
  readonly published: boolean
  readonly unlocked: boolean
  readonly readFree: boolean
  readonly begun: readonly Begun[]
  readonly followed: NewOfFollowed
  readonly popular: readonly InJson<CardRow>[]
  readonly highest: readonly InJson<CourseCardRow>[]
  readonly unread: number
}

/**
 * Returns, in one statement, what the viewer did last, new items of followed people, popular items with the
 * viewer's own state, the week's numbers and the first steps. Steps are null once the viewer has published and
 * unlocked, and administrators need not unlock.
 */
export async function readStall(db: Db, viewer: Viewer, now: Date): Promise<Own> {
  const today = utcDay(now)
  const since = new Date(Date.parse(today) - DAYS_BEFORE * DAY_MS)
  const row = await findStall(db, { viewerId: viewer.id, today, since })
  if (row === undefined) throw new Error('a statement without a from gave no row')
  const { views, unlocks, comments, unread, published, unlocked, readFree } = row
  const isNew = viewer.role !== 'administrator' && !(published && unlocked)
  return {
    continue: row.begun.map(toContinue),
    followed: toFollowed(row.followed, viewer),
    popular: row.popular.map((card) => toCard(outOfJson(card), viewer)),
    highest: row.highest.map((card) => toCourseCard(outOfJson(card), viewer)),
    week: { views, unlocks, comments, unread },
    steps: isNew ? { readFree, published, unlocked } : null,
  }
}

/**
 * Parts of the statement and their indexes: views by the key of `owner_view_days`; sales of the newest items
 * (`lessons_owner`, `lesson_purchases_recent` and the equivalents for courses); comments on the newest lessons
 * (`comments_lesson`); what to continue (server/items/progress); followed people's items (server/items/follows); unread
 * messages (server/community/chat). A comment is unanswered as long as the author has written none after it.
 */
async function findStall(
  db: Db,
  { viewerId, today, since }: { viewerId: string; today: string; since: Date },
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    with own_lessons as materialized (
      select id, comments from lessons where owner_id = ${viewerId} and deleted_at is null order by id desc limit ${ITEMS}
    ), own_courses as materialized (
      select id from courses where owner_id = ${viewerId} and deleted_at is null order by id desc limit ${ITEMS}
    ), sales as (
      select sold.many from own_lessons, lateral (
        select count(*) as many from (
          select from lesson_purchases p where p.lesson_id = own_lessons.id and p.created_at >= ${since}::timestamptz
          limit ${SALES}
        ) counted
      ) sold
      union all select sold.many from own_courses, lateral (
        select count(*) as many from (
          select from course_purchases p where p.course_id = own_courses.id and p.created_at >= ${since}::timestamptz
          limit ${SALES}
        ) counted
      ) sold
    ), waiting as (
      select talk.many from own_lessons, lateral (
        select count(*) filter (
          where user_id <> ${viewerId} and created_at >= ${since}::timestamptz and id > coalesce(answered, 0)
        ) as many from (
          select id, user_id, created_at, max(id) filter (where user_id = ${viewerId}) over () as answered from (
            select id, user_id, created_at from comments m
            where m.lesson_id = own_lessons.id and m.deleted_at is null order by id desc limit ${COMMENTS}
          ) newest
        ) last
      ) talk where own_lessons.comments > 0
    )
    select
      (select coalesce(sum(seen.views), 0)::integer from generate_series(0, ${sql.lit(DAYS_BEFORE)}) ago, lateral (
        select views from owner_view_days where day = ${today}::date - ago and owner_id = ${viewerId} limit 1
      ) seen) as views,
      (select coalesce(sum(many), 0)::integer from sales) as unlocks,
      (select coalesce(sum(many), 0)::integer from waiting) as comments,
      exists (select from own_lessons) as published,
      exists (select from lesson_purchases where user_id = ${viewerId})
        or exists (select from course_purchases where user_id = ${viewerId}) as unlocked,
      exists (select from free_readers where user_id = ${viewerId}) as "readFree",
      ${begunBy(viewerId)} as begun, ${newOfFollowedBy(viewerId)} as followed, ${unreadOf(viewerId)} as unread,
      ${topInJson(lessonCards, viewerId, 'views')} as popular, ${topInJson(courseCards, viewerId, 'likes')} as highest`.execute(
    db,
  )
  return rows[0]
}
