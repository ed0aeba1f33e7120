/**
 * SQL of single courses; server/items/shared has what kinds share. The order of locks is the same everywhere: lessons by
 * id, courses by id, balances. A course's lessons and its sum of comments change only under the lock of the
 * lesson.
 */
import { sql, type RawBuilder } from 'kysely'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { takeCover } from '#server/items/shared/cover.ts'
import { finishRefunds } from '#server/items/shared/endings.ts'
import { foldTerm } from '#contract/fold.ts'
import { isReadable } from '#server/items/shared/entitlement.ts'
import { markWords } from '#server/items/words/indexing.ts'
import { detectLanguage } from '#opinion'

export interface CourseFields {
  readonly title: string
  readonly description: string
  /** In order. */
  readonly lessons: readonly number[]
  /** One of the lessons, which everybody can open. */
  readonly freePreview: number | null
}

const languageOf = ({ title, description }: CourseFields) => detectLanguage([title, description])

/** Its lessons must be locked. Returns the new course's id. */
export async function insertCourse(
  tx: Tx,
  course: CourseFields & {
    ownerId: string
    pictureId: number | null
    price: number
    createdAt: Date
  },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with course as (
      insert into courses (owner_id, title_folded, price, lesson_count, comments, created_at)
      select ${course.ownerId}::uuid, ${foldTerm(course.title)}, ${course.price}::integer, count(*), sum(l.comments), ${course.createdAt}::timestamptz
      from lessons l where l.id = any(${course.lessons}::bigint[])
      returning id
    ), contents as (
      insert into course_contents (course_id, title, description, language, picture_id, free_preview)
      select id, ${course.title}, ${course.description}, ${languageOf(course)}::text, ${course.pictureId}::bigint, ${course.freePreview}::bigint from course
    ), listed as (
      insert into course_lessons (course_id, lesson_id, position)
      select course.id, given.lesson_id, given.position
      from course, unnest(${course.lessons}::bigint[]) with ordinality given (lesson_id, position)
    )
    select id from course`.execute(tx)
  const id = rows[0]?.id
  if (id === undefined) throw new Error('a course was not inserted')
  return id
}

export interface LockedCourse extends CourseFields {
  readonly ownerId: string
  readonly pictureId: number | null
  readonly version: number
  readonly price: number
}

/** Locks a living course, so that nobody changes, deletes, likes or buys it meanwhile. Null if missing. */
export function lockCourse(tx: Tx, id: number): Promise<LockedCourse | null> {
  return lock(tx, id, sql`k.deleted_at is null`)
}

/** Also locks a course that was left to its buyers. */
export function lockReadableCourse(tx: Tx, id: number): Promise<LockedCourse | null> {
  return lock(tx, id, isReadable('k'))
}

async function lock(
  tx: Tx,
  id: number,
  condition: RawBuilder<unknown>,
): Promise<LockedCourse | null> {
  const { rows } = await sql<Omit<LockedCourse, 'lessons'>>`
    select k.owner_id as "ownerId", k.price, c.version, c.title, c.description, c.free_preview as "freePreview",
      c.picture_id as "pictureId"
    from courses k join course_contents c on c.course_id = k.id
    where k.id = ${id} and ${condition} for no key update of k, c`.execute(tx)
  const course = rows[0]
  // A statement that waited for a lock sees other tables as they were before, so the lessons are read again.
  return course === undefined ? null : { ...course, lessons: await findLessonIds(tx, id) }
}

/** In order. */
export async function findLessonIds(db: DbOrTx, courseId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('course_lessons')
    .select('lesson_id')
    .where('course_id', '=', courseId)
    .orderBy('position')
    .execute()
  return rows.map((row) => row.lesson_id)
}

/**
 * Writes all fields of a locked course and increases its version. An undefined `pictureId` keeps the picture.
 * Added and removed lessons must be locked; the removed ones stay open to those who have bought the course.
 */
export async function updateCourse(
  tx: Tx,
  id: number,
  course: CourseFields & { pictureId: number | null | undefined; editedAt: Date },
): Promise<void> {
  const lessons = sql`${course.lessons}::bigint[]`
  await sql`
    with newest as (
      select max(id) as sale from course_purchases where course_id = ${id}
    ), left_behind as (
      insert into course_kept_lessons (course_id, lesson_id, last_purchase)
      select held.course_id, held.lesson_id, newest.sale from course_lessons held, newest
      where held.course_id = ${id} and held.lesson_id <> all(${lessons}) and newest.sale is not null
    ), back as (
      delete from course_kept_lessons where course_id = ${id} and lesson_id = any(${lessons})
    ), gone as (
      delete from course_lessons where course_id = ${id} and lesson_id <> all(${lessons})
    ), placed as (
      insert into course_lessons (course_id, lesson_id, position)
      select ${id}::bigint, given.lesson_id, given.position
      from unnest(${lessons}) with ordinality given (lesson_id, position)
      on conflict (course_id, lesson_id) do update set position = excluded.position
      where course_lessons.position <> excluded.position
    ), contents as (
      update course_contents set
        title = ${course.title}, description = ${course.description}, language = ${languageOf(course)}::text, free_preview = ${course.freePreview}::bigint,
        picture_id = coalesce(${course.pictureId ?? null}::bigint, picture_id),
        version = version + 1, edited_at = ${course.editedAt}
      where course_id = ${id}
    )
    update courses set title_folded = ${foldTerm(course.title)}, lesson_count = now.lessons, comments = now.comments
    from (select count(*) as lessons, sum(l.comments) as comments from lessons l where l.id = any(${lessons})) now
    where courses.id = ${id}`.execute(tx)
}

/**
 * Ends what a purchase of a locked course, which was just deleted, gave of the lessons that left the course: the
 * purchase before it is now the last one that includes them.
 */
export async function endKeptLessons(tx: Tx, courseId: number, purchase: number): Promise<void> {
  await sql`
    with before as (
      select max(id) as sale from course_purchases where course_id = ${courseId} and id < ${purchase}
    ), gone as (
      delete from course_kept_lessons using before
      where course_id = ${courseId} and last_purchase = ${purchase} and before.sale is null
    )
    update course_kept_lessons set last_purchase = before.sale from before
    where course_id = ${courseId} and last_purchase = ${purchase} and before.sale is not null`.execute(
    tx,
  )
}

/** A course, living or left to its buyers, that contains a lesson, or did so for earlier buyers. */
export interface HoldingCourse {
  readonly id: number
  readonly ownerId: string
  readonly title: string
  /** The present number of its lessons. */
  readonly lessons: number
  /** False if it contains the lesson for earlier buyers only. */
  readonly listed: boolean
  /** The id of the last purchase that includes the lesson; null if listed, which includes all purchases. */
  readonly lastPurchase: number | null
}

/** Returns them in the order of their ids. */
export async function findCoursesOf(db: DbOrTx, lessonId: number): Promise<HoldingCourse[]> {
  const { rows } = await holders(lessonId).execute(db)
  return rows
}

/**
 * Also locks them; the lesson must be locked before. It locks first and then reads again, because PostgreSQL may
 * drop a row of a union that is joined to a table after waiting for that table's row lock.
 */
export async function lockCoursesOf(tx: Tx, lessonId: number): Promise<HoldingCourse[]> {
  await sql`
    select from courses k where k.id = any(array(
      select course_id from course_lessons where lesson_id = ${lessonId}
      union all select course_id from course_kept_lessons where lesson_id = ${lessonId}
    )) and ${isReadable('k')} order by k.id for no key update`.execute(tx)
  return findCoursesOf(tx, lessonId)
}

function holders(lessonId: number): RawBuilder<HoldingCourse> {
  return sql<HoldingCourse>`
    select k.id, k.owner_id as "ownerId", c.title, k.lesson_count as lessons, held.listed, held.last_purchase as "lastPurchase"
    from (
      select course_id, true as listed, null::bigint as last_purchase from course_lessons where lesson_id = ${lessonId}
      union all select course_id, false, last_purchase from course_kept_lessons where lesson_id = ${lessonId}
    ) held join courses k on k.id = held.course_id join course_contents c on c.course_id = k.id
    where ${isReadable('k')} order by k.id`
}

/**
 * Removes a lesson that is being deleted from all courses, also for their buyers. The lesson and its courses must
 * be locked (lockCoursesOf). Returns the ids of the courses that listed it.
 */
export async function takeLessonOut(tx: Tx, lessonId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with left_behind as (
      delete from course_lessons where lesson_id = ${lessonId} returning course_id
    ), held_before as (
      delete from course_kept_lessons where lesson_id = ${lessonId}
    ), preview as (
      update course_contents set free_preview = null where free_preview = ${lessonId}
    )
    update courses k set lesson_count = k.lesson_count - 1, comments = (
      select coalesce(sum(l.comments), 0) from course_lessons held join lessons l on l.id = held.lesson_id
      where held.course_id = k.id and held.lesson_id <> ${lessonId}
    )
    from left_behind where k.id = left_behind.course_id returning k.id`.execute(tx)
  return rows.map((row) => row.id).toSorted((one, other) => one - other)
}

/**
 * Updates the sums of the courses that contain these lessons and returns their ids. It must follow the statement
 * that changes the lessons' own counts in the same transaction, whose locks keep the lessons in their courses.
 */
export async function addToCommentCounts(
  tx: Tx,
  moves: readonly { readonly lessonId: number; readonly delta: number }[],
): Promise<number[]> {
  const lessons = moves.map(({ lessonId }) => lessonId)
  const deltas = moves.map(({ delta }) => delta)
  const { rows } = await sql<{ id: number }>`
    with held as materialized (
      select k.id from courses k
      -- checked again after waiting for a lock: a course that was deleted meanwhile has no sum
      where k.id in (select cl.course_id from course_lessons cl where cl.lesson_id = any(${lessons}::bigint[]))
        and ${isReadable('k')}
      order by k.id for no key update of k
    ), moved as (
      select held.id, sum(move.delta)::integer as delta
      from held join course_lessons cl on cl.course_id = held.id
      join unnest(${lessons}::bigint[], ${deltas}::integer[]) as move (lesson_id, delta) using (lesson_id)
      group by held.id
    )
    update courses k set comments = k.comments + moved.delta from moved where k.id = moved.id
    returning k.id`.execute(tx)
  return rows.map((row) => row.id)
}

/** Also true if such a course contains the lesson for some of its buyers only. */
export async function isInLeftCourse(tx: Tx, lessonId: number): Promise<boolean> {
  const { rows } = await sql`
    select from (
      select course_id from course_lessons where lesson_id = ${lessonId}
      union all select course_id from course_kept_lessons where lesson_id = ${lessonId}
    ) held join courses k on k.id = held.course_id where k.kept_for_buyers limit 1`.execute(tx)
  return rows.length > 0
}

/** Deletes a locked course. Its title is kept until all refunds are paid. */
export async function vanishCourse(
  tx: Tx,
  id: number,
  options: { deletedAt: Date; refundsDue: boolean; isRestorable: boolean },
): Promise<void> {
  await sql`
    with listed as (delete from course_lessons where course_id = ${id}),
      held_before as (delete from course_kept_lessons where course_id = ${id})
    update courses set deleted_at = ${options.deletedAt}, kept_for_buyers = false, refunds_due = true, lesson_count = 0, comments = 0
    where id = ${id}`.execute(tx)
  if (!options.isRestorable) await takeCover(tx, 'course', id)
  await markWords(tx, 'course', id)
  if (!options.refundsDue) await finishRefunds(tx, 'course', id)
}
