import { sql, type RawBuilder } from 'kysely'
import type { CourseChoice } from '#contract/courses.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { coverOf } from '#server/items/shared/cover.ts'
import { invalidField } from '#server/kernel/errors.ts'

/** Maximum number of lessons that a form offers. */
const MOST = 1000

interface Selection {
  readonly ownerId: string
  readonly lessons: readonly number[]
}

const notOwners = () => invalidField('lessons', 'lessonsNotOwners')

/** @throws Refusal 400 at `lessons` when one is missing or not the owner's */
export async function requireOwnLessons(db: DbOrTx, selection: Selection): Promise<void> {
  const found = await ownLessons(selection).execute(db)
  if (found.rows.length !== selection.lessons.length) throw notOwners()
}

/**
 * Locks lessons in the order of their ids, so that none is deleted or commented on until the transaction ends.
 * Leaves out missing lessons and those of others.
 */
export async function lockOwnLessons(tx: Tx, selection: Selection): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`${ownLessons(selection)} order by id for no key update`.execute(tx)
  return rows.map((row) => row.id)
}

function ownLessons({ ownerId, lessons }: Selection): RawBuilder<{ id: number }> {
  return sql<{ id: number }>`
    select id from lessons
    where id = any(${lessons}::bigint[]) and owner_id = ${ownerId} and deleted_at is null`
}

/** @throws Refusal 400 at `lessons` unless all of them were locked */
export function requireLocked(lessons: readonly number[], locked: readonly number[]): void {
  if (!lessons.every((id) => locked.includes(id))) throw notOwners()
}

/** @throws Refusal 400 at `freePreview` when it is none of the lessons */
export function requirePreviewAmong(
  lessons: readonly number[],
  freePreview: number | null | undefined,
): void {
  if (typeof freePreview === 'number' && !lessons.includes(freePreview))
    throw invalidField('freePreview', 'previewNotInCourse')
}

/** Lists an owner's newest lessons. Claims of the course itself don't keep a lesson from counting for it. */
export async function listChoices(
  db: Db,
  ownerId: string,
  courseId: number | null,
): Promise<CourseChoice[]> {
  const { rows } = await sql<Omit<CourseChoice, 'thumbnail'> & { picture: string | null }>`
    select l.id, c.title, p.key as picture, reward.lesson_id is not null
      and (claim.course_id is null or claim.course_id is not distinct from ${courseId}::bigint) as counts
    from (
      select id from lessons where owner_id = ${ownerId} and deleted_at is null
      order by id desc limit ${sql.lit(MOST)}
    ) l
    join lesson_contents c on c.lesson_id = l.id
    left join pictures p on p.id = c.picture_id
    left join lesson_rewards reward on reward.lesson_id = l.id
    left join course_reward_lessons claim on claim.lesson_id = l.id
    order by l.id desc`.execute(db)
  return rows.map(({ id, title, picture, counts }) => ({
    id,
    title,
    thumbnail: coverOf('lesson', id, picture, 320),
    counts,
  }))
}
