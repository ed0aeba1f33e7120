/**
 * Removes ratings whose author has lost access: the item, or the course that gave access, was deleted, or the account
 * was erased. Works in small batches, because each batch locks the item's row and blocks people who rate it.
 */
import { sql, type RawBuilder } from 'kysely'
import * as z from 'zod/mini'
import type { ItemKind } from '#contract/points.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { isBought, isOpenThroughCourse, isReadable } from '#server/items/shared/entitlement.ts'
import { ratedCte } from '#server/items/shared/rating-sums.ts'
import { TABLES } from '#server/items/shared/tables.ts'
import { jobKind, type JobHandler } from '#server/platform/jobs/job.ts'
import { addJobsLater } from '#server/platform/jobs/queue.ts'
import type { ItemRef } from '#server/platform/events/catalogue.ts'
import type { Events } from '#server/platform/events/events.ts'
import type { Clock } from '#server/kernel/clock.ts'

const OfItem = z.object({ kind: z.enum(['lesson', 'course']), id: z.number() })
/** Removes the ratings of an item whose authors have no access to it. Idempotent. */
export const WITHDRAW_RATINGS = jobKind('withdrawRatings', OfItem)

/** Enqueues a job for after the commit of a transaction that deletes items or access to them. */
export function withdrawLater(tx: Tx, items: readonly ItemRef[]): Promise<void> {
  return addJobsLater(
    tx,
    WITHDRAW_RATINGS,
    items.map(({ kind, id }) => ({ kind, id })),
    // All lessons of a course may be affected at once, so other jobs run first.
    { yields: true },
  )
}

/** Returns the current and former lessons of a course that is being deleted, because its buyers may lose them. */
export async function lessonsEverInCourse(tx: Tx, courseId: number): Promise<ItemRef[]> {
  const { rows } = await sql<{ id: number }>`
    select held.lesson_id as id from course_lessons held where held.course_id = ${courseId}
    union select held.lesson_id from course_kept_lessons held where held.course_id = ${courseId}`.execute(
    tx,
  )
  return rows.map(({ id }) => ({ kind: 'lesson', id }))
}

/** Runs WITHDRAW_RATINGS. */
export function createWithdrawRatingsHandler({
  db,
  clock,
  events,
}: {
  readonly db: Db
  readonly clock: Clock
  readonly events: Events
}): JobHandler<z.output<typeof OfItem>> {
  return async (item) => {
    if ((await withdrawRatings(db, item, clock.now())) > 0)
      events.publish({ type: 'items.counted', items: [item] })
  }
}

/** Ratings per transaction. */
const BATCH = 500

/** Returns how many were removed. */
async function withdrawRatings(db: Db, { kind, id }: ItemRef, deletedAt: Date): Promise<number> {
  const key = sql.raw(TABLES[kind].id)
  let removed = 0
  let after: number | null = 0
  while (after !== null) {
    const from: number = after
    const result = await db.transaction().execute(async (tx) => {
      await lockItems(tx, kind, [id])
      const { rows } = await sql<{ last: number | null; gone: number }>`
        with batch as materialized (
          select r.id, r.user_id from ratings r
          where r.${key} = ${id} and r.deleted_at is null and r.id > ${from} order by r.id limit ${sql.lit(BATCH)}
        ), gone as (
          update ratings r set deleted_at = ${deletedAt}, deleted_by = null
          from batch where r.id = batch.id and not ${HAS_ACCESS[kind](id)}
          returning r.${key} as item_id, r.stars
        ), moved as (select item_id, -1 as ratings, -stars as stars from gone), ${ratedCte(kind)}
        select (select max(id) from batch) as last, (select count(*)::integer from gone) as gone`.execute(
        tx,
      )
      return rows[0] ?? { last: null, gone: 0 }
    })
    removed += result.gone
    after = result.last
  }
  return removed
}

/**
 * The author of the row `batch` has access to the item: it exists or remains for its buyers, and they unlocked
 * it.
 */
const HAS_ACCESS: Readonly<Record<ItemKind, (id: number) => RawBuilder<boolean>>> = {
  lesson: (id) => hasLessonAccess(sql`batch.user_id`, sql`${id}`),
  course: (id) => hasCourseAccess(sql`batch.user_id`, sql`${id}`),
}

/** The person unlocked a lesson that exists or remains for its buyers. */
function hasLessonAccess(
  userId: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from lessons l where l.id = ${id} and ${isReadable('l')}
      and (${isBought(userId)} or ${isOpenThroughCourse(userId)})
  )`
}

function hasCourseAccess(
  userId: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from courses k join course_purchases sale on sale.course_id = k.id and sale.user_id = ${userId}
    where k.id = ${id} and ${isReadable('k')}
  )`
}

/** Condition on `r` (ratings): its author still has access to the item. */
export const hasAccess = sql<boolean>`case when r.lesson_id is null
  then ${hasCourseAccess(sql`r.user_id`, sql`r.course_id`)} else ${hasLessonAccess(sql`r.user_id`, sql`r.lesson_id`)} end`

/**
 * Locks items in the order of their ids, including deleted ones, so that nobody else changes the sums of their
 * ratings.
 */
export async function lockItems(tx: Tx, kind: ItemKind, ids: readonly number[]): Promise<void> {
  await sql`
    select from ${sql.raw(TABLES[kind].narrow)} where id = any(${ids}::bigint[])
    order by id for no key update`.execute(tx)
}

/** Deletes all ratings of a person, including soft-deleted ones. */
export async function forgetRatings(db: Db, userId: string): Promise<void> {
  for (const kind of ['lesson', 'course'] as const)
    while (await db.transaction().execute((tx) => deleteBatch(tx, kind, userId)));
}

/** Returns true if there may be more. */
async function deleteBatch(tx: Tx, kind: ItemKind, userId: string): Promise<boolean> {
  const key = sql.raw(TABLES[kind].id)
  const { rows } = await sql<{ id: number; item: number }>`
    select id, ${key} as item from ratings where user_id = ${userId} and ${key} is not null
    order by id limit ${sql.lit(BATCH)}`.execute(tx)
  await lockItems(
    tx,
    kind,
    rows.map(({ item }) => item),
  )
  await sql`
    with gone as (
      delete from ratings where user_id = ${userId} and id = any(${rows.map(({ id }) => id)}::bigint[])
      returning ${key} as item_id, stars, deleted_at
    ), moved as (
      select item_id, -1 as ratings, -stars as stars from gone where deleted_at is null
    ), ${ratedCte(kind)}
    select count(*) from gone`.execute(tx)
  return rows.length === BATCH
}
