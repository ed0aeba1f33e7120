/** SQL of likes; the only place that writes their tables. */
import { sql, type RawBuilder } from 'kysely'
import { compileOnce } from '#server/db/compiled.ts'
import { courseLikeCte, courseToLikeCte } from '#server/courses/store.ts'
import { countedLessonCte, lessonLikeCte } from '#server/lessons/counters.ts'

/** What came of an attempt to like. */
export interface Attempt {
  /** Null: there is no such item. */
  readonly ownerId: string | null
  /** Of the item after it; null when nothing changed. */
  readonly likes: number | null
}

type Values = { userId: string; itemId: number; at: Date }
const NAMES = ['userId', 'itemId', 'at'] as const

/** The like and the number in one statement; the item is locked first, so that no two count the same number up. */
function likeOf(
  item: RawBuilder<unknown>,
  liking: RawBuilder<unknown>,
  liked: RawBuilder<unknown>,
) {
  return sql<Attempt>`with ${item}, liking as (${liking}), ${liked}
    select (select owner_id from item) as "ownerId", (select likes from liked) as likes`
}

/** Likes a lesson for `userId` at `at`; one row, of which Attempt says what came of it. */
export const insertLessonLike = compileOnce<Values, Attempt>(NAMES, (db, { userId, itemId, at }) =>
  likeOf(
    countedLessonCte(itemId),
    sql`insert into lesson_likes (user_id, lesson_id, created_at)
      select ${userId}::uuid, item.id, ${at}::timestamptz from item where item.owner_id <> ${userId}::uuid
      on conflict do nothing returning lesson_id`,
    lessonLikeCte,
  ).compile(db),
)

/** The same for a course. */
export const insertCourseLike = compileOnce<Values, Attempt>(NAMES, (db, { userId, itemId, at }) =>
  likeOf(
    courseToLikeCte(itemId),
    sql`insert into course_likes (user_id, course_id, created_at)
      select ${userId}::uuid, item.id, ${at}::timestamptz from item where item.owner_id <> ${userId}::uuid
      on conflict do nothing returning course_id`,
    courseLikeCte(),
  ).compile(db),
)
