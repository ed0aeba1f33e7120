import { sql } from 'kysely'
import type { TowardsCertificate } from '#contract/certificates.ts'
import { findUnpassedChecks } from '#server/items/checks/unpassed.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'
import { isThere } from '#server/items/shared/access.ts'
import { isReadable } from '#server/items/shared/entitlement.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { forbidden, notFound, Refusal } from '#server/kernel/errors.ts'
import { isDone } from '#server/items/progress/store.ts'

interface PartOfCourse {
  readonly id: number
  readonly title: string
  readonly done: boolean
}

/** The current state of a course for a buyer. */
export interface HeldCourse {
  readonly id: number
  readonly title: string
  readonly description: string
  readonly authorId: string
  readonly authorName: string
  /** In order. */
  readonly lessons: readonly PartOfCourse[]
}

type Missing = TowardsCertificate['missing']

/**
 * Returns the course with the viewer's progress, for people who unlocked it. Its author and administrators can see
 * the course but don't get certificates.
 * @throws Refusal 404 when there is no such course for them, 403 when they have not unlocked it
 */
export async function readHeldCourse(
  db: DbOrTx,
  viewer: Viewer,
  courseId: number,
): Promise<HeldCourse> {
  const { rows } = await sql<HeldCourse & { bought: boolean; leftToBuyers: boolean }>`
    select k.id, content.title, content.description, k.owner_id as "authorId", author.username as "authorName",
      k.kept_for_buyers as "leftToBuyers",
      exists (
        select from course_purchases sale where sale.course_id = k.id and sale.user_id = ${viewer.id}
      ) as bought,
      (
        select coalesce(json_agg(json_build_object('id', part.lesson_id, 'title', inside.title,
          'done', coalesce(${isDone('p')}, false)) order by part.position), '[]')
        from course_lessons part
        join lesson_contents inside on inside.lesson_id = part.lesson_id
        left join lesson_progress p on p.user_id = ${viewer.id} and p.lesson_id = part.lesson_id
        where part.course_id = k.id
      ) as lessons
    from courses k join course_contents content on content.course_id = k.id
    join users author on author.id = k.owner_id
    where k.id = ${courseId} and ${isReadable('k')}`.execute(db)
  const [course] = rows
  const { authorId: ownerId = '', bought = false, leftToBuyers = false } = course ?? {}
  if (course === undefined || !isThere(viewer, { ownerId, bought, leftToBuyers }))
    throw notFound('courseNotFound')
  if (!bought) throw forbidden('certificateNotHeld')
  return course
}

/**
 * Returns what is missing in the order of the course: unfinished lessons, and lessons whose self-check was not
 * passed.
 */
export async function findMissing(
  db: DbOrTx,
  viewer: Viewer,
  { lessons }: HeldCourse,
): Promise<Missing> {
  const ids = lessons.map(({ id }) => id)
  const unpassed = new Set(await findUnpassedChecks(db, viewer.id, ids))
  return lessons.flatMap(({ id, title, done }) => [
    ...(done ? [] : [{ id, title, what: 'lesson' as const }]),
    ...(unpassed.has(id) ? [{ id, title, what: 'check' as const }] : []),
  ])
}

/** Counts lessons that are finished including their self-checks. */
export function countDone({ lessons }: HeldCourse, missing: Missing): number {
  return lessons.length - new Set(missing.map(({ id }) => id)).size
}

/** Returns a 409 that names what is missing (`missing`). A course without any lessons left can't be finished. */
export function unfinished(course: HeldCourse, missing: Missing): Refusal {
  const done = countDone(course, missing)
  return new Refusal(409, 'certificateUnfinished', {
    values: { done, total: course.lessons.length },
    extra: { missing },
  })
}
