import { sql, type RawBuilder } from 'kysely'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import type { Db } from '#server/platform/db/connect.ts'

export type Direction = 'all' | 'in' | 'out'

const directions = {
  all: sql<boolean>`true`,
  in: sql<boolean>`point_entries.amount > 0`,
  out: sql<boolean>`point_entries.amount < 0`,
} as const

/** Also true for items that were left to their buyers, in whose ledgers they appear. */
const isThere = (item: 'lessons' | 'courses') => {
  const table = sql.table(item)
  return sql<boolean>`(${table}.deleted_at is null or ${table}.kept_for_buyers)`
}

const isPaidBack = sql<boolean>`reason in ('refunded', 'lessonGone', 'returned', 'videoGone')`
const isPaid = sql<boolean>`reason in ('bought', 'trusted')`
/** The absolute sum of the entries in one direction that match a condition. */
const sumOf = (direction: 'in' | 'out', kind: RawBuilder<boolean>) =>
  sql<number>`coalesce(abs(sum(amount) filter (where ${directions[direction]} and ${kind})), 0)::bigint`

/** Returns the totals in both directions by purpose, and the number of entries in each. */
export async function sumEntries(db: Db, userId: string) {
  const {
    all,
    in: incoming,
    out,
    ...sums
  } = await db
    .selectFrom('point_entries')
    .select([
      sumOf('in', sql`not ${isPaidBack}`).as('earned'),
      sumOf('in', isPaidBack).as('refunded'),
      sumOf('out', isPaid).as('spent'),
      sumOf('out', sql`not ${isPaid}`).as('takenBack'),
      sql<number>`count(*)`.as('all'),
      sql<number>`count(*) filter (where ${directions.in})`.as('in'),
      sql<number>`count(*) filter (where ${directions.out})`.as('out'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return { ...sums, counts: { all, in: incoming, out } }
}

/** Newest first. Items that still exist have their present titles. */
export async function listEntries(db: Db, userId: string, direction: Direction, page: number) {
  return db
    .selectFrom('point_entries')
    .leftJoin('lessons', (join) =>
      join
        .onRef('lessons.id', '=', 'point_entries.item_id')
        .on('point_entries.item_kind', '=', 'lesson')
        .on(isThere('lessons')),
    )
    .leftJoin('lesson_contents', 'lesson_contents.lesson_id', 'lessons.id')
    .leftJoin('courses', (join) =>
      join
        .onRef('courses.id', '=', 'point_entries.item_id')
        .on('point_entries.item_kind', '=', 'course')
        .on(isThere('courses')),
    )
    .leftJoin('course_contents', 'course_contents.course_id', 'courses.id')
    .select((where) => [
      'point_entries.id',
      'point_entries.amount',
      'point_entries.reason',
      'point_entries.item_kind',
      'point_entries.item_id',
      'point_entries.item_title',
      'point_entries.note',
      'point_entries.net_after',
      'point_entries.created_at',
      where.fn.coalesce('lesson_contents.title', 'course_contents.title').as('present_title'),
    ])
    .where('point_entries.user_id', '=', userId)
    .where(directions[direction])
    .orderBy('point_entries.id', 'desc')
    .limit(ROWS_PER_PAGE)
    .offset((page - 1) * ROWS_PER_PAGE)
    .execute()
}
