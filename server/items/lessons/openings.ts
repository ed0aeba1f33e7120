/**
 * Records what buyers open while they may still return it. Each statement locks the purchases first: it waits for a
 * return, and a return that comes later sees what it recorded.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'
import { returnableSince } from '#server/items/shared/details/returnable.ts'

/** A course of which it counts how many lessons its buyer opened. */
const isReturnableCourse = (
  userId: RawBuilder<unknown>,
  lessonId: RawBuilder<unknown>,
  now: Date,
) => sql`
  bought.user_id = ${userId} and bought.created_at > ${returnableSince(now)} and not bought.with_token
    and exists (
      select from course_lessons held where held.course_id = bought.course_id and held.lesson_id = ${lessonId}
    )`

/**
 * A condition on the result `lesson`: the viewer reads it by a course that they may return, and that isn't recorded
 * yet.
 */
export function mustRecord(viewerId: string | null, now: Date): RawBuilder<boolean> {
  if (viewerId === null) return sql<boolean>`false`
  const viewer = sql`${viewerId}::uuid`
  return sql<boolean>`(lesson."openThroughCourse" and not lesson.bought and not lesson."freePreview" and exists (
    select from course_purchases bought where ${isReturnableCourse(viewer, sql`lesson.id`, now)}
  ) and not exists (
    select from lesson_openings seen where seen.user_id = ${viewer} and seen.lesson_id = lesson.id
  ))`
}

/** Returns false if the person has returned the course meanwhile. */
export async function recordOpening(
  db: Db,
  userId: string,
  lessonId: number,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    with bought as materialized (
      select from course_purchases bought where ${isReturnableCourse(sql`${userId}::uuid`, sql`${lessonId}::bigint`, now)}
      for key share of bought
    )
    insert into lesson_openings as seen (user_id, lesson_id, opened_at, fetched)
    select ${userId}::uuid, ${lessonId}::bigint, ${now}::timestamptz, false
    where (select count(*) from bought) > 0
    on conflict (user_id, lesson_id) do update set opened_at = seen.opened_at
    returning seen.lesson_id`.execute(db)
  return rows.length > 0
}

/** Records that the person downloads the lesson's file, if they may return the lesson, or a course that contains it. */
export async function recordFetch(
  db: Db,
  userId: string,
  lessonId: number,
  now: Date,
): Promise<void> {
  const buyer = sql`${userId}::uuid`
  await sql`
    with courses_bought as materialized (
      select from course_purchases bought where ${isReturnableCourse(buyer, sql`${lessonId}::bigint`, now)}
      for key share of bought
    ), bought as materialized (
      select from lesson_purchases bought
      where bought.user_id = ${buyer} and bought.lesson_id = ${lessonId}::bigint
        and bought.created_at > ${returnableSince(now)} and not bought.with_token
      for key share of bought
    )
    insert into lesson_openings (user_id, lesson_id, opened_at, fetched)
    select ${buyer}, ${lessonId}::bigint, ${now}::timestamptz, true
    where (select count(*) from courses_bought) + (select count(*) from bought) > 0
    on conflict (user_id, lesson_id) do update set fetched = true`.execute(db)
}

export async function forgetOpenings(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('lesson_openings').where('user_id', '=', userId).execute()
}
