/** The verb createCourse: one transaction for the course, its reward and its draft. */
import type { CourseDraft } from '#contract/course-forms.schemas.ts'
import type { CreatedCourse } from '#contract/courses.schemas.ts'
import { COURSE_PRICE } from '#contract/limits.ts'
import {
  lockOwnLessons,
  requireLocked,
  requireOwnLessons,
  requirePreviewAmong,
} from '#server/courses/choice.ts'
import { readWrittenCourse } from '#server/courses/details.ts'
import {
  findPublishedDraft,
  insertPublishedDraft,
  type PublishedDraft,
} from '#server/courses/drafts.ts'
import { insertCourse } from '#server/courses/store.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { exchangePicture } from '#server/files/picture-life.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { lockDraft } from '#server/lessons/drafts.ts'
import { grantCourseReward } from '#server/points/course-rewards.ts'

export interface WriteNeeds {
  readonly db: Db
  readonly clock: Clock
  /** Null leaves the course to its generated cover. */
  readonly storePicture: (file: File, ownerId: string) => Promise<{ pictureId: number | null }>
}

/**
 * Publishes a course and gives its reward, or says why not. A draft that comes again answers its first result.
 * @throws Refusal 400 at `lessons` for foreign and deleted ones, at `freePreview` for one that is not among them
 */
export async function createCourse(
  needs: WriteNeeds,
  viewer: Viewer,
  draft: CourseDraft,
): Promise<{ course: CreatedCourse; isNew: boolean }> {
  const { db } = needs
  const key = draft.draftId === undefined ? null : { ownerId: viewer.id, draftId: draft.draftId }
  const before = key === null ? null : await findPublishedDraft(db, key)
  if (before !== null) return { course: await toCreated(db, viewer, before), isNew: false }

  requirePreviewAmong(draft.lessons, draft.freePreview)
  // Asked before the picture is kept, and again when nobody can delete them any more.
  await requireOwnLessons(db, { ownerId: viewer.id, lessons: draft.lessons })
  const { pictureId } = await needs.storePicture(draft.image, viewer.id)
  const result = await db.transaction().execute(async (tx) => {
    if (key !== null) {
      await lockDraft(tx, key)
      const meanwhile = await findPublishedDraft(tx, key)
      if (meanwhile !== null) return { published: meanwhile, isNew: false }
    }
    const published = await publish(tx, needs.clock.now(), viewer, { draft, pictureId })
    if (key !== null) await insertPublishedDraft(tx, key, published)
    return { published, isNew: true }
  })
  return { course: await toCreated(db, viewer, result.published), isNew: result.isNew }
}

async function publish(
  tx: Tx,
  now: Date,
  viewer: Viewer,
  { draft, pictureId }: { draft: CourseDraft; pictureId: number | null },
): Promise<PublishedDraft> {
  const { title, description, lessons, freePreview = null } = draft
  requireLocked(lessons, await lockOwnLessons(tx, { ownerId: viewer.id, lessons }))
  const courseId = await insertCourse(tx, {
    title,
    description,
    lessons,
    freePreview,
    ownerId: viewer.id,
    pictureId,
    price: COURSE_PRICE,
    createdAt: now,
  })
  await exchangePicture(tx, { before: null, after: pictureId, ownerId: viewer.id, as: 'cover' })
  const { rewarded, rewardReason } = await grantCourseReward(tx, {
    userId: viewer.id,
    courseId,
    title,
    lessonIds: lessons,
  })
  return { courseId, rewarded, rewardReason }
}

async function toCreated(
  db: Db,
  viewer: Viewer,
  { courseId, rewarded, rewardReason }: PublishedDraft,
): Promise<CreatedCourse> {
  return { ...(await readWrittenCourse(db, viewer, courseId)), rewarded, rewardReason }
}
