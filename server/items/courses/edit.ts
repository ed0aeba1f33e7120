import type { CourseEdit } from '#contract/course-forms.ts'
import type { EditedCourse } from '#contract/courses.ts'
import { COURSE_LESSONS, DESCRIPTION, TITLE } from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import {
  lockOwnLessons,
  requireLocked,
  requireOwnLessons,
  requirePreviewAmong,
} from '#server/items/courses/choice.ts'
import type { WriteNeeds } from '#server/items/courses/create.ts'
import { courseGone, findCourse, readWrittenCourse } from '#server/items/courses/details.ts'
import {
  findLessonIds,
  lockCourse,
  updateCourse,
  type LockedCourse,
} from '#server/items/courses/store.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import { lock, lockName } from '#server/platform/db/locks.ts'
import { exchangePicture } from '#server/platform/files/picture-life.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { conflict, invalid, invalidField } from '#server/kernel/errors.ts'
import { reasonForOwner, requireRight } from '#server/items/shared/access.ts'
import { refuseTitleWords } from '#server/items/words/title-words.ts'
import { notifyEdit } from '#server/people/moderation/reasons.ts'
import { followCourseEdit } from '#server/people/points/course-rewards.ts'
import { markWords } from '#server/items/words/indexing.ts'

/**
 * Edits a course and its rewards in one transaction. Absent fields stay, unless `whole` (PUT) demands all but the
 * picture and the free preview. An administrator chooses among the owner's lessons and gives a reason, of which
 * the owner is notified. `left` contains the removed lessons.
 * @throws Refusal 404, 403, 400, and 409 when `version` is not the stored one
 */
export async function editCourse(
  needs: WriteNeeds,
  viewer: Viewer,
  edit: CourseEdit,
  whole: boolean,
): Promise<{ course: EditedCourse; left: number[] }> {
  const { db, clock } = needs
  const before = await findCourse(db, edit.id, viewer, clock.now())
  if (before === null || before.leftToBuyers) throw courseGone()
  requireRight('edit', viewer, before.owner_id)
  if (whole) refuseGaps(edit)
  const reason = reasonForOwner(viewer, before.owner_id, edit.reason)
  if (edit.version !== undefined && edit.version !== before.version)
    throw conflict('editedMeanwhile')
  if (edit.title !== undefined && edit.title !== before.title)
    refuseTitleWords(needs.settings, edit.title)
  // Checked before the picture is stored, and again when locks prevent changes.
  requireEnough(edit.lessons ?? before.lessons)
  requirePreviewAmong(edit.lessons ?? before.lessons, edit.freePreview)
  if (edit.lessons !== undefined)
    await requireOwnLessons(db, { ownerId: before.owner_id, lessons: edit.lessons })
  const picture =
    edit.image === undefined ? undefined : await needs.storePicture(edit.image, viewer.id)
  await db.transaction().execute((tx) =>
    save(tx, needs.clock.now(), {
      edit,
      actorId: viewer.id,
      ownerId: before.owner_id,
      pictureId: picture?.pictureId,
      reason,
    }),
  )
  const course = await readWrittenCourse(needs, viewer, edit.id)
  const stay = new Set(course.lessons.map(({ id }) => id))
  return { course, left: before.lessons.filter((id) => !stay.has(id)) }
}

/** @throws Refusal 400 at every field that a PUT lacks */
function refuseGaps(edit: CourseEdit): void {
  const needed = {
    title: message('titleValMs', { min: TITLE.min, max: TITLE.max }),
    description: message('descriptionValMs', { min: DESCRIPTION.min, max: DESCRIPTION.max }),
    lessons: message('minLessonsMsg', { min: COURSE_LESSONS.min }),
  } as const
  const missing = Object.entries(needed).filter(
    ([field]) => edit[field as keyof typeof needed] === undefined,
  )
  if (missing.length > 0) throw invalid(Object.fromEntries(missing))
}

/** Deletions may have left a course with too few lessons for any edit. @throws Refusal 400 at `lessons` */
function requireEnough(lessons: readonly number[]): void {
  if (lessons.length < COURSE_LESSONS.min)
    throw invalidField('lessons', 'minLessonsMsg', { min: COURSE_LESSONS.min })
}

interface Change {
  readonly edit: CourseEdit
  readonly actorId: string
  readonly ownerId: string
  readonly pictureId: number | null | undefined
  readonly reason: string | null | undefined
}

async function save(
  tx: Tx,
  now: Date,
  { edit, actorId, ownerId, pictureId, reason }: Change,
): Promise<void> {
  const { id } = edit
  // Edits of one course run one at a time, so only deletions can change its lessons meanwhile.
  await lock(tx, lockName.course(id))
  const before = await findLessonIds(tx, id)
  const wanted = edit.lessons ?? before
  const moving = difference(before, wanted)
  const locked = await lockOwnLessons(tx, { ownerId, lessons: moving })
  const stored = await lockCourse(tx, id)
  if (stored === null) throw courseGone()
  if (edit.version !== undefined && edit.version !== stored.version)
    throw conflict('editedMeanwhile')
  const lessons = edit.lessons ?? stored.lessons
  requireEnough(lessons)
  requireLocked(
    lessons.filter((lesson) => !stored.lessons.includes(lesson)),
    locked,
  )
  requirePreviewAmong(lessons, edit.freePreview)
  const title = edit.title ?? stored.title
  await updateCourse(tx, id, {
    title,
    description: edit.description ?? stored.description,
    lessons,
    freePreview: previewAfter(edit, stored, lessons),
    pictureId,
    editedAt: now,
  })
  await markWords(tx, 'course', id)
  const { pictureId: shown } = stored
  await exchangePicture(tx, { before: shown, after: pictureId ?? shown, ownerId, as: 'cover' })
  if (edit.lessons !== undefined)
    await followCourseEdit(tx, {
      userId: ownerId,
      courseId: id,
      title,
      lessonIds: lessons,
      at: now,
    })
  if (reason !== undefined) {
    const item = { kind: 'course', id, title } as const
    await notifyEdit(tx, { ...stored, actorId, item, reason, at: now })
  }
}

/** Returns the elements that only one of the lists has. */
function difference(some: readonly number[], others: readonly number[]): number[] {
  return [
    ...some.filter((id) => !others.includes(id)),
    ...others.filter((id) => !some.includes(id)),
  ]
}

/** A removed lesson can't stay the free preview. */
function previewAfter(
  edit: CourseEdit,
  stored: LockedCourse,
  lessons: readonly number[],
): number | null {
  const preview = edit.freePreview === undefined ? stored.freePreview : edit.freePreview
  return preview !== null && lessons.includes(preview) ? preview : null
}
