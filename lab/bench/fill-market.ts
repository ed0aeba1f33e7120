/** What a big market has besides lessons: courses of each author's own lessons, sales and likes in great number. */
import type pg from 'pg'
import { countSql, titleSql } from './fill.ts'

/** Lessons of a course. */
const SIZE = 6
/** Sales and likes of lessons, and sales of courses, of each author. */
const SALES = 500
const LIKES = 300
const COURSE_SALES = 50

export interface MarketSize {
  readonly lessons: number
  readonly courses: number
  /** Of the sales and likes of a big market, so many for each person. */
  readonly share: number
}

/**
 * Adds courses up to `courses` in all, each of six lessons of one author, and the authors' sales and likes.
 * Titles and numbers are as plausible as those of the lessons.
 */
export async function fillMarket(
  client: pg.Client,
  { lessons, courses, share }: MarketSize,
): Promise<void> {
  const begin = await client.query<{ first: number }>(
    'select coalesce(max(id), 0)::int + 1 as first from courses',
  )
  const from = begin.rows[0]?.first ?? 1
  await client.query(
    `create temporary table ranked as
     select id, owner_id, row_number() over owned - 1 as place, count(*) over (partition by owner_id) as owned
     from lessons where deleted_at is null window owned as (partition by owner_id order by id)`,
  )
  await client.query('create index on ranked (owner_id, place)')
  await client.query(
    `create temporary table bundles as
     select n, abs(hashint8(n)::bigint) as hash, owners.owner_id, owners.owned, n / owners.many * ${SIZE} as first
     from generate_series($1::int, $2::int) n join (
       select owner_id, owned, row_number() over (order by owner_id) - 1 as place, count(*) over () as many
       from (select distinct owner_id, owned from ranked where owned >= ${SIZE}) able
     ) owners on owners.place = n % owners.many`,
    [from, courses],
  )
  await client.query(
    `insert into courses (id, owner_id, title_folded, likes, lesson_count, created_at) overriding system value
     select n, owner_id, lower(${titleSql}), ${countSql('hash >> 20', 'n * 7')}, ${SIZE}, timestamptz '2026-01-01' + n * interval '1 minute'
     from bundles`,
  )
  await client.query(
    `insert into course_contents (course_id, title, description, picture_id)
     select n, ${titleSql}, 'What one needs to begin, and where to go on',
       case when hash % 5 > 0 then (select min(id) from pictures) + hash % 400 end
     from bundles`,
  )
  await client.query(
    `insert into course_lessons (course_id, lesson_id, position)
     select b.n, r.id, 1 + step from bundles b, generate_series(0, ${SIZE - 1}) step
     join ranked r on true where r.owner_id = b.owner_id and r.place = (b.first + step) % b.owned`,
  )
  await client.query(
    `update courses k set comments = total.comments from (
       select held.course_id, sum(l.comments) as comments
       from course_lessons held join lessons l on l.id = held.lesson_id group by held.course_id
     ) total where total.course_id = k.id`,
  )
  await client.query('drop table bundles, ranked')
  await client.query(`select setval(pg_get_serial_sequence('courses', 'id'), $1)`, [courses])
  await fillTrade(client, { lessons, courses, share })
  await client.query('vacuum (analyze)')
}

/** Each author buys and likes, at places that lie as far apart as the numbers allow. */
async function fillTrade(
  client: pg.Client,
  { lessons, courses, share }: MarketSize,
): Promise<void> {
  const places = (count: number, of: number) => `
    select id, 1 + (abs(hashint8(n * 7919 + step)::bigint) % ${of}) as item, step
    from (select id, row_number() over (order by id) as n from users) people, generate_series(1, ${Math.ceil(count * share)}) step`
  const at = `timestamptz '2026-06-01' + step * interval '1 hour'`
  await client.query(
    `insert into lesson_purchases (user_id, lesson_id, price, created_at)
     select id, item, 100, ${at} from (${places(SALES, lessons)}) sale on conflict do nothing`,
  )
  await client.query(
    `insert into lesson_likes (user_id, lesson_id, created_at)
     select id, item, ${at} from (${places(LIKES, lessons)}) liking on conflict do nothing`,
  )
  await client.query(
    `insert into course_purchases (user_id, course_id, price, lessons, created_at)
     select id, item, 500, ${SIZE}, ${at} from (${places(COURSE_SALES, courses)}) sale on conflict do nothing`,
  )
  await client.query(
    `insert into course_likes (user_id, course_id, created_at)
     select id, item, ${at} from (${places(COURSE_SALES, courses)}) liking on conflict do nothing`,
  )
  await client.query(
    `insert into lesson_tags (tag, lesson_id)
     select distinct lower(given.tag), c.lesson_id from lesson_contents c, unnest(c.tags) given (tag)
     on conflict do nothing`,
  )
}
