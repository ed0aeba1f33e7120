import type pg from 'pg'
import type { Viewer } from '#server/kernel/call.ts'

/** Five people; the first two own seven lessons each, of which six are in a course. Their lessons alternate. */
export interface World {
  readonly people: readonly Viewer[]
  readonly lessons: readonly number[]
  readonly courses: readonly number[]
}

export interface Prices {
  readonly lessonPrice: number
  readonly coursePrice: number
}

export const PEOPLE = 5
/** Points of each person at the beginning. */
export const START = 3000

/**
 * Creates the people and items of one history. `number` is new in each history; the order of the ids, which decides
 * the order of locks, is always the same.
 */
export async function makeWorld(
  pool: pg.Pool,
  number: number,
  { lessonPrice, coursePrice }: Prices,
): Promise<World> {
  const hex = number.toString(16).padStart(8, '0')
  const ids = Array.from(
    { length: PEOPLE },
    (_, place) => `${hex}-0000-7000-8000-00000000000${place}`,
  )
  const { rows } = await pool.query<{ lessons: number[]; courses: number[] }>(
    `with person as (
      insert into users (id, username, username_folded, username_skeleton, email, email_folded, password_hash)
      select id, name, name, name, id || '@x.example', id || '@x.example', 'x'
      from unnest($1::uuid[]) id, concat(left(id::text, 8), right(id::text, 4)) name
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
    [ids, START, lessonPrice, coursePrice],
  )
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
