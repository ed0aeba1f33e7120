/** Reads and locks rows of several folders for removals. shares.ts writes the shares. */
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { isReadable } from '#server/items/shared/entitlement.ts'
import { partOf, shareOfPart } from '#server/items/purchases/course-store.ts'

/** Effects of deleting an item, in KB Points. */
export interface Consequences {
  readonly ownerId: string
  /** People. A buyer of both the lesson and a course with it counts once. */
  readonly buyers: number
  /** Total refund to the buyers. */
  readonly refund: number
  /** The owner's shares of these purchases, which they pay back. */
  readonly shares: number
  /** The reward of the item, which the owner pays back. */
  readonly reward: number
  /** The owner's current balance, which may be negative. */
  readonly net: number
}

/**
 * Returns the effects of deleting a lesson, or null if it doesn't exist. Adds up three kinds of payments, each
 * with an index: sales of the lesson, its share of the sales of courses that contain it, and of courses that
 * contained it when they were sold (up to `last_purchase`). A buyer who paid in several ways counts once.
 */
export async function findConsequences(db: DbOrTx, lessonId: number): Promise<Consequences | null> {
  const { rows } = await sql<Consequences>`
    select l.owner_id as "ownerId", sold.buyers, sold.refund, sold.shares,
      coalesce((select r.amount from lesson_rewards r where r.lesson_id = l.id), 0) as reward,
      coalesce((select b.net from point_balances b where b.user_id = l.owner_id), 0) as net
    from lessons l, (
      select count(distinct paid.user_id) as buyers, coalesce(sum(paid.amount), 0)::bigint as refund,
        coalesce(sum(paid.share), 0)::bigint as shares
      from (
        select p.user_id, p.price as amount, p.share from lesson_purchases p where p.lesson_id = ${lessonId}
        union all
        select p.user_id, ${partOf}, ${shareOfPart} from course_lessons held
        join course_purchases p on p.course_id = held.course_id
        where held.lesson_id = ${lessonId}
        union all
        select p.user_id, ${partOf}, ${shareOfPart} from course_kept_lessons held
        join course_purchases p on p.course_id = held.course_id and p.id <= held.last_purchase
        where held.lesson_id = ${lessonId}
      ) paid
    ) sold
    where l.id = ${lessonId} and ${isReadable('l')}`.execute(db)
  return rows[0] ?? null
}

/**
 * Returns the effects of deleting a course, or null if it doesn't exist. Omits what was already refunded for its
 * lessons.
 */
export async function findCourseConsequences(
  db: DbOrTx,
  courseId: number,
): Promise<Consequences | null> {
  const { rows } = await sql<Consequences>`
    select k.owner_id as "ownerId", sold.buyers, sold.refund, sold.shares,
      coalesce((select r.amount from course_rewards r where r.course_id = k.id), 0) as reward,
      coalesce((select b.net from point_balances b where b.user_id = k.owner_id), 0) as net
    from courses k, (
      select count(*) as buyers, coalesce(sum(p.price - p.refunded), 0)::bigint as refund,
        coalesce(sum(p.share), 0)::bigint as shares
      from course_purchases p where p.course_id = ${courseId}
    ) sold
    where k.id = ${courseId} and ${isReadable('k')}`.execute(db)
  return rows[0] ?? null
}

/** Locks a course, even a deleted one, and returns its owner, and its title while that is stored. */
export async function lockCourseTitle(
  tx: Tx,
  courseId: number,
): Promise<{ title: string | null; ownerId: string }> {
  const { rows } = await sql<{ title: string | null; ownerId: string }>`
    select (select c.title from course_contents c where c.course_id = k.id) as title, k.owner_id as "ownerId"
    from courses k where k.id = ${courseId} for no key update`.execute(tx)
  const [course] = rows
  if (course === undefined) throw new Error(`there is no course ${courseId}`)
  return course
}
