import type { CourseDraft } from '#contract/course-forms.ts'
import type { CreatedCourse } from '#contract/courses.ts'
import { COURSE_PRICE } from '#contract/limits.ts'
import {
  lockOwnLessons,
  requireLocked,
  requireOwnLessons,
  requirePreviewAmong,
} from '#server/items/courses/choice.ts'
import { readWrittenCourse } from '#server/items/courses/details.ts'
import { insertCourse } from '#server/items/courses/store.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { exchangePicture } from '#server/platform/files/picture-life.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { courseRef, lessonRef, type Event } from '#server/platform/events/catalogue.ts'
import { record } from '#server/platform/events/outbox.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { refuseTitleWords } from '#server/items/words/title-words.ts'
import type { Current } from '#server/kernel/settings/site-settings.ts'
import { publishOnce, type PublishedItem } from '#server/items/shared/drafts.ts'
import { grantCourseReward } from '#server/people/points/course-rewards.ts'
import { markWords } from '#server/items/words/indexing.ts'

export interface WriteNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly settings: Current<'TITLE_WORDS'>
  /** Null means that the cover is drawn. */
  readonly storePicture: (file: File, ownerId: string) => Promise<{ pictureId: number | null }>
}

/**
 * Publishes a course with its reward, or with the reason why there is none, in one transaction. A repeated draft
 * returns its first result. `event` is to be published.
 * @throws Refusal 400 at `lessons` for missing ones and those of others, and at `freePreview` for another lesson
 */
export async function createCourse(
  needs: WriteNeeds,
  viewer: Viewer,
  draft: CourseDraft,
): Promise<{ course: CreatedCourse; event: Event | null }> {
  const { published, isNew } = await publishOnce(
    needs.db,
    'course',
    { ownerId: viewer.id, draftId: draft.draftId },
    async () => {
      refuseTitleWords(needs.settings, draft.title)
      requirePreviewAmong(draft.lessons, draft.freePreview)
      // Checked before the picture is stored, and again when locks prevent their deletion.
      await requireOwnLessons(needs.db, { ownerId: viewer.id, lessons: draft.lessons })
      const { pictureId } = await needs.storePicture(draft.image, viewer.id)
      return (tx) => publish(tx, needs, viewer, { draft, pictureId })
    },
  )
  const event = isNew ? publication(published.id, viewer, draft.lessons) : null
  return { course: await toCreated(needs, viewer, published), event }
}

function publication(id: number, { id: ownerId }: Viewer, lessons: readonly number[]) {
  const also = lessons.map(lessonRef)
  return { type: 'course.published', item: courseRef(id), also, ownerId } as const
}

async function publish(
  tx: Tx,
  { clock }: WriteNeeds,
  viewer: Viewer,
  { draft, pictureId }: { draft: CourseDraft; pictureId: number | null },
): Promise<PublishedItem> {
  const now = clock.now()
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
    at: now,
  })
  await markWords(tx, 'course', courseId)
  await record(tx, publication(courseId, viewer, lessons), now)
  return { id: courseId, rewarded, rewardReason }
}

async function toCreated(
  needs: WriteNeeds,
  viewer: Viewer,
  { id, ...reward }: PublishedItem,
): Promise<CreatedCourse> {
  return { ...(await readWrittenCourse(needs, viewer, id)), ...reward }
}
