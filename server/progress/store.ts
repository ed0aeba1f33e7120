/** SQL of how far people are in lessons; the only place that writes its table. */
import { sql, type RawBuilder } from 'kysely'
import type { LessonProgress } from '#contract/progress.schemas.ts'
import { arrayOf, compileOnce } from '#server/db/compiled.ts'
import type { Db, DbOrTx } from '#server/db/connect.ts'
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

type Values = Pick<Told, keyof Told> & { viewerId: string; lessonId: number; administers: boolean }

const at = (value: unknown) => sql`coalesce(${value}::timestamptz, '-infinity')`

/**
 * One statement says whether the lesson is open to the person, and stores what they tell only when it is. Whatever the
 * order in which reports come, the same is stored in the end: the newest place and the newest mark by hand win, the
 * greater one of two at the same time; the rest only grows.
 */
const store = compileOnce<Values, Entitlement>(
  [
    'viewerId',
    'lessonId',
    'administers',
    'seconds',
    'length',
    'placedAt',
    'furthest',
    'finished',
    'opened',
    'marked',
    'markedAt',
    'seenAt',
  ],
  (db, told) => {
    const isNewer = sql`(excluded.placed_at, excluded.seconds, excluded.length) > (old.placed_at, old.seconds, old.length)`
    return sql<Entitlement>`
    with lesson as materialized (
      select l.id, ${entitlementColumns(told.viewerId)} from lessons l where l.id = ${told.lessonId} and ${isReadable('l')}
    ), stored as (
      insert into lesson_progress as old (user_id, lesson_id, seconds, length, placed_at, furthest, finished, opened, marked, marked_at, seen_at)
      select ${told.viewerId}::uuid, lesson.id, ${told.seconds}::integer, ${told.length}::integer, ${at(told.placedAt)},
        ${told.furthest}::integer, ${told.finished}::boolean, ${told.opened}::boolean, ${told.marked}::boolean, ${at(told.markedAt)},
        ${told.seenAt}::timestamptz
      from lesson where ${opens(told, sql`lesson`)}
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

/** Stores what a person tells of a lesson that is open to them; null where there is no such lesson. */
export async function storeProgress(db: Db, told: Values): Promise<Entitlement | null> {
  const [entitlement] = await store(db, told)
  return entitlement ?? null
}

/** On the alias of a row of progress: the lesson is done, by hand or by its video. */
export function isDone(alias: string): RawBuilder<boolean> {
  const row = sql.raw(alias)
  return sql<boolean>`coalesce(${row}.marked, ${row}.finished)`
}

interface Row extends Omit<LessonProgress, 'date'> {
  readonly date: Date
}

const readOf = compileOnce<{ viewerId: string; lessons: readonly number[] }, Row>(
  ['viewerId', 'lessons'],
  (db, { viewerId, lessons }) =>
    sql<Row>`
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
