/** People who sell to each other, and what must hold of their books, for random histories. */
import {
  COURSE_LESSONS,
  COURSE_REWARD,
  LESSON_REWARD,
  MOST_AUTHOR_SHARE,
} from '#contract/limits.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { BoundedPool } from '#server/platform/db/pool.ts'

type Query = Pick<BoundedPool, 'query'>

export interface Sellers {
  readonly people: readonly Viewer[]
  /** Those of the two authors alternate. */
  readonly lessons: readonly number[]
  readonly courses: readonly number[]
}

export interface SellersGiven {
  readonly lessonPrice: number
  readonly coursePrice: number
  /** Of each person at the beginning. */
  readonly points?: number
}

/** Creates people with points and confirmed addresses. The first two own seven lessons each, of which six are in a course. */
export async function makeSellers(
  pool: Query,
  ids: readonly string[],
  { lessonPrice, coursePrice, points = 3000 }: SellersGiven,
): Promise<Sellers> {
  const { rows } = await pool.query<{ lessons: number[]; courses: number[] }>({
    // Random histories do this hundreds of times.
    name: 'sellers',
    text: `with person as (
      insert into users (id, username, username_folded, username_skeleton, email, email_folded, email_confirmed_at, password_hash)
      select id, name, name, name, id || '@x.example', id || '@x.example', now(), 'x'
      from unnest($1::uuid[]) id, concat(left(id::text, 8), right(id::text, 12)) name
    ), balance as (
      insert into point_balances (user_id, net) select id, $2 from unnest($1::uuid[]) id
    ), welcome as (
      insert into point_entries (user_id, amount, reason, net_after) select id, $2, 'welcome', $2 from unnest($1::uuid[]) id
    ), lesson as (
      insert into lessons (owner_id, title_folded, price)
      select id, 'one', $3 from unnest($1::uuid[]) with ordinality given (id, place), generate_series(1, 7)
      where place <= 2 returning id, owner_id
    ), content as (
      insert into lesson_contents (lesson_id, title, description, tags, video_id, article, article_minutes)
      select id, 'Lesson one', 'What one needs', array['one'], 'abcdefghijk', 'How it is done', 1 from lesson
    ), course as (
      insert into courses (owner_id, title_folded, price, lesson_count)
      select distinct owner_id, 'two', $4::integer, 6 from lesson returning id, owner_id
    ), course_content as (
      insert into course_contents (course_id, title, description) select id, 'Course two', 'What one needs' from course
    ), held as (
      insert into course_lessons (course_id, lesson_id, position)
      select k.id, l.id, l.place from course k join (
        select id, owner_id, row_number() over (partition by owner_id order by id) as place from lesson
      ) l on l.owner_id = k.owner_id where l.place <= 6
    )
    select array(
        select id::float8 from lesson order by row_number() over (partition by owner_id order by id), owner_id
      ) as lessons,
      array(select id::float8 from course order by owner_id) as courses`,
    values: [ids, points, lessonPrice, coursePrice],
  })
  const people = ids.map((id): Viewer => ({
    id,
    username: id,
    role: 'user',
    suspended: false,
    sessionId: id,
    wroteLately: false,
  }))
  return { people, lessons: rows[0]?.lessons ?? [], courses: rows[0]?.courses ?? [] }
}

/**
 * Rewards all their lessons and courses, and reports each lesson as a copy of another one. Returns the ids of the
 * reports, in the order of the lessons.
 */
export async function rewardSellers(
  pool: Query,
  { people, lessons, courses }: Sellers,
): Promise<number[]> {
  await pool.query(
    `insert into lesson_rewards (lesson_id, user_id, amount, day, video_id)
    select id, owner_id, ${LESSON_REWARD}, created_at::date, 'video ' || id from lessons where id = any($1)`,
    [lessons],
  )
  await pool.query(
    `insert into course_rewards (course_id, user_id, amount) select id, owner_id, ${COURSE_REWARD} from courses where id = any($1)`,
    [courses],
  )
  await pool.query(
    `insert into course_reward_lessons (lesson_id, course_id) select lesson_id, course_id from course_lessons where course_id = any($1)`,
    [courses],
  )
  await pool.query(
    `with reward as (
      select user_id, amount, 'lesson' as kind, lesson_id as id from lesson_rewards where lesson_id = any($1)
      union all select user_id, amount, 'course', course_id from course_rewards where course_id = any($2)
    ), moved as (
      update point_balances b set net = net + given.sum
      from (select user_id, sum(amount) from reward group by user_id) given where given.user_id = b.user_id
    )
    insert into point_entries (user_id, amount, reason, item_kind, item_id, item_title, net_after)
    select r.user_id, r.amount, 'created', r.kind, r.id, 'one',
      b.net + sum(r.amount) over (partition by r.user_id order by r.kind, r.id)
    from reward r join point_balances b using (user_id) order by r.user_id, r.kind, r.id`,
    [lessons, courses],
  )
  const { rows } = await pool.query<{ id: number }>(
    `insert into flags (reporter_id, kind, subject_id, text, original_id)
    select $1, 'lesson', id, 'This is mine', $3 from unnest($2::bigint[]) with ordinality given (id, place)
    order by place returning id`,
    [people.at(-1)?.id, lessons, lessons[0]],
  )
  return rows.map(({ id }) => id)
}

/** Each query returns violations among the people in $1. */
export const BOOK_RULES: Readonly<Record<string, string>> = {
  'a balance is the sum of its entries': `
    select user_id from point_balances b where user_id = any($1) and net <>
      (select sum(amount) from point_entries e where e.user_id = b.user_id)`,
  'an entry carries the balance after it': `
    select id from (
      select id, net_after, sum(amount) over (partition by user_id order by id) as due
      from point_entries where user_id = any($1)
    ) e where net_after <> due`,
  'a balance is what was paid and what was earned': `
    select b.user_id from point_balances b where b.user_id = any($1) and net <>
      (select coalesce(sum(amount), 0) from point_entries e where e.user_id = b.user_id and e.reason = 'welcome')
      - (select coalesce(sum(price), 0) from lesson_purchases p where p.user_id = b.user_id)
      - (select coalesce(sum(price - refunded), 0) from course_purchases p where p.user_id = b.user_id)
      + (select coalesce(sum(amount), 0) from lesson_rewards r where r.user_id = b.user_id)
      + (select coalesce(sum(amount), 0) from course_rewards r where r.user_id = b.user_id)
      + (select coalesce(sum(share), 0) from lesson_purchases p
        join lessons l on l.id = p.lesson_id and l.owner_id = b.user_id)
      + (select coalesce(sum(share), 0) from course_purchases p
        join courses k on k.id = p.course_id and k.owner_id = b.user_id)`,
  'a rewarded course counts enough rewarded lessons': `
    select r.course_id from course_rewards r left join course_reward_lessons using (course_id)
    where r.user_id = any($1) group by r.course_id having count(lesson_id) < ${COURSE_LESSONS.min}`,
  'one lesson is unlocked on trust, before everything else and without a debt': `
    select t.user_id from point_entries t
    where t.user_id = any($1) and t.reason = 'trusted' and (t.net_after - t.amount < 0 or exists (
      select from point_entries e where e.user_id = t.user_id and e.item_id is not null and e.id < t.id))`,
  'a share is due or paid': `
    select p.user_id from lesson_purchases p join trusted_shares using (user_id, lesson_id)
    where p.user_id = any($1) and p.share > 0`,
  'a share is at most half of the price': `
    select user_id from lesson_purchases where user_id = any($1) and share > price / 2
    union all
    select user_id from course_purchases where user_id = any($1) and share > (price - refunded) / 2`,
  'an item brings its author at most the maximum, and what is counted': `
    select i.id from (
      select 'lesson' as kind, l.id, (select coalesce(sum(share), 0) from lesson_purchases p where p.lesson_id = l.id) as brought
      from lessons l where l.owner_id = any($1)
      union all
      select 'course', k.id, (select coalesce(sum(share), 0) from course_purchases p where p.course_id = k.id)
      from courses k where k.owner_id = any($1)
    ) i left join author_shares s on s.item_kind = i.kind and s.item_id = i.id
    where i.brought > ${MOST_AUTHOR_SHARE} or i.brought <> coalesce(s.paid, 0)`,
}
