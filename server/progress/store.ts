/** SQL of how far people are in lessons; the only place that writes its table. */
import { sql, type RawBuilder } from 'kysely'
import type { LessonProgress } from '#contract/progress.ts'
import { arrayOf, compileOnce } from '#server/db/compiled.ts'
import type { Db, DbOrTx } from '#server/db/connect.ts'
import { patienceCte } from '#server/db/together.ts'
import type { Entitlement } from '#server/items/access.ts'
import { entitlementColumns, isReadable, opens } from '#server/items/entitlement.ts'

/** What is told of a lesson, as it is stored. A time of null: nothing is told of that. */
export interface Told {
  readonly seconds: number
  readonly length: number
  readonly placedAt: Date | null
  readonly furthest: number
  readonly finished: boolean
  readonly opened: boolean
  readonly marked: boolean | null
  readonly markedAt: Date | null
  readonly seenAt: Date
}

/** Who tells it, and of which lesson. */
export interface Telling {
  readonly viewerId: string
  readonly lessonId: number
  readonly administers: boolean
  readonly told: Told
}

/** What a lesson is to who tells of it. */
interface Row extends Entitlement {
  /** Of what was told, among all of it. */
  readonly place: number
}

/** Whatever of a time is not told was never. */
const at = (column: string) => sql`coalesce(asked.${sql.ref(column)}, '-infinity')`

/**
 * One statement says of each report whether its lesson is open to who sends it, and stores what they tell only when it
 * is. Whatever the order in which reports come, the same is stored in the end: the newest place and the newest mark by
 * hand win, the greater one of two at the same time; the rest only grows.
 *
 * Its steps: `lesson` finds each lesson with what it is to that person, one by one along the keys, however many there
 * are; `stored` writes in the order of the key, so that two of these never wait for each other. They come as JSON: by
 * the length of an array PostgreSQL would plan the statement anew each time.
 */
const store = compileOnce<{ tellings: string; patienceMs: number | null }, Row>(
  ['tellings', 'patienceMs'],
  (db, { tellings, patienceMs }) => {
    const isNewer = sql`(excluded.placed_at, excluded.seconds, excluded.length) > (old.placed_at, old.seconds, old.length)`
    const asker = { viewerId: sql`asked.user_id`, administers: sql`asked.administers` }
    return sql<Row>`
    with ${patienceCte(patienceMs)}, asked as materialized (
      select * from json_to_recordset(${tellings}::json) as told (place integer, user_id uuid, lesson_id bigint,
        administers boolean, seconds integer, length integer, placed_at timestamptz, furthest integer, finished boolean,
        opened boolean, marked boolean, marked_at timestamptz, seen_at timestamptz)
    ), lesson as materialized (
      select asked.place, found.* from asked, lateral (
        select ${entitlementColumns(asker.viewerId)} from lessons l
        where l.id = asked.lesson_id and ${isReadable('l')} limit 1
      ) found
    ), stored as (
      insert into lesson_progress as old (user_id, lesson_id, seconds, length, placed_at, furthest, finished, opened, marked, marked_at, seen_at)
      select asked.user_id, asked.lesson_id, asked.seconds, asked.length, ${at('placed_at')}, asked.furthest,
        asked.finished, asked.opened, asked.marked, ${at('marked_at')}, asked.seen_at
      from patience, lesson join asked using (place) where ${opens(asker, sql`lesson`)}
      order by asked.user_id, asked.lesson_id
      on conflict (user_id, lesson_id) do update set
        seconds = case when ${isNewer} then excluded.seconds else old.seconds end,
        length = case when ${isNewer} then excluded.length else old.length end,
        placed_at = greatest(old.placed_at, excluded.placed_at),
        furthest = greatest(old.furthest, excluded.furthest),
        finished = old.finished or excluded.finished,
        opened = old.opened or excluded.opened,
        marked = case when excluded.marked_at > old.marked_at then excluded.marked
          when excluded.marked_at = old.marked_at then old.marked or excluded.marked else old.marked end,
        marked_at = greatest(old.marked_at, excluded.marked_at),
        seen_at = greatest(old.seen_at, excluded.seen_at)
    )
    select lesson.* from lesson`.compile(db)
  },
)

/**
 * Stores what people, each named once, tell of lessons that are open to them. Answers what each lesson is to them, in
 * their places; null where there is none. `patienceMs`: for a lock, less than a statement has.
 */
export async function storeProgress(
  db: Db,
  tellings: readonly Telling[],
  patienceMs: number | null = null,
): Promise<(Entitlement | null)[]> {
  const asked = tellings.map(({ viewerId, lessonId, administers, told }, place) => ({
    place,
    user_id: viewerId,
    lesson_id: lessonId,
    administers,
    seconds: told.seconds,
    length: told.length,
    placed_at: told.placedAt,
    furthest: told.furthest,
    finished: told.finished,
    opened: told.opened,
    marked: told.marked,
    marked_at: told.markedAt,
    seen_at: told.seenAt,
  }))
  const rows = await store(db, { tellings: JSON.stringify(asked), patienceMs })
  const found = new Map(rows.map((row) => [row.place, row]))
  return tellings.map((_, place) => found.get(place) ?? null)
}

/** On the alias of a row of progress: the lesson is done, by hand or by its video. */
export function isDone(alias: string): RawBuilder<boolean> {
  const row = sql.raw(alias)
  return sql<boolean>`coalesce(${row}.marked, ${row}.finished)`
}

interface KnownRow extends Omit<LessonProgress, 'date'> {
  readonly date: Date
}

const readOf = compileOnce<{ viewerId: string; lessons: readonly number[] }, KnownRow>(
  ['viewerId', 'lessons'],
  (db, { viewerId, lessons }) =>
    sql<KnownRow>`
    select p.lesson_id as lesson, p.seconds, p.length, p.furthest, p.opened, ${isDone('p')} as done, p.seen_at as date
    from lesson_progress p
    where p.user_id = ${viewerId} and p.lesson_id = any(${arrayOf('bigint', lessons)})
    order by p.lesson_id`.compile(db),
)

/** How far a person is in these lessons, whether they are still open to them or not. */
export async function readProgress(
  db: Db,
  viewerId: string,
  lessons: readonly number[],
): Promise<LessonProgress[]> {
  const rows = await readOf(db, { viewerId, lessons })
  return rows.map(({ date, ...row }) => ({ ...row, date: date.toISOString() }))
}

/** Forgets how far a person is in everything. */
export async function forgetProgress(db: DbOrTx, userId: string): Promise<void> {
  await sql`delete from lesson_progress where user_id = ${userId}`.execute(db)
}
