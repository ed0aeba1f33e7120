/** The verb createLesson: one transaction for the lesson, its reward and its draft. */
import type { LessonDraft } from '#contract/lesson-forms.schemas.ts'
import type { CreatedLesson } from '#contract/lessons.schemas.ts'
import { LESSON_PRICE } from '#contract/limits.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { exchangePicture } from '#server/files/picture-life.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { utcDay } from '#server/kernel/clock.ts'
import { writeArticle, type WrittenArticle } from '#server/lessons/article.ts'
import {
  findPublishedDraft,
  insertPublishedDraft,
  lockDraft,
  type PublishedDraft,
} from '#server/lessons/drafts.ts'
import { insertLesson, updateResources } from '#server/lessons/store.ts'
import {
  claimResource,
  readWritten,
  requireVideo,
  type WriteNeeds,
} from '#server/lessons/writing.ts'
import { grantLessonReward } from '#server/points/rewards.ts'

/** Publishes a lesson and gives its reward, or says why not. A draft that comes again answers its first result. */
export async function createLesson(
  needs: WriteNeeds,
  viewer: Viewer,
  draft: LessonDraft,
): Promise<{ lesson: CreatedLesson; isNew: boolean }> {
  const { db } = needs
  const key = draft.draftId === undefined ? null : { ownerId: viewer.id, draftId: draft.draftId }
  const before = key === null ? null : await findPublishedDraft(db, key)
  if (before !== null) return { lesson: await toCreated(db, viewer, before), isNew: false }

  const article = writeArticle(draft.article)
  const { pictureId } = await needs.storePicture(draft.image, viewer.id)
  const result = await db.transaction().execute(async (tx) => {
    if (key !== null) {
      await lockDraft(tx, key)
      const meanwhile = await findPublishedDraft(tx, key)
      if (meanwhile !== null) return { published: meanwhile, isNew: false }
    }
    const published = await publish(tx, needs, viewer, { draft, article, pictureId })
    if (key !== null) await insertPublishedDraft(tx, key, published)
    return { published, isNew: true }
  })
  return { lesson: await toCreated(db, viewer, result.published), isNew: result.isNew }
}

interface Publication {
  readonly draft: LessonDraft
  readonly article: WrittenArticle
  readonly pictureId: number | null
}

async function publish(
  tx: Tx,
  { clock, dailyRewardLimit }: WriteNeeds,
  viewer: Viewer,
  { draft, article, pictureId }: Publication,
): Promise<PublishedDraft> {
  const now = clock.now()
  const fields = {
    ...draft,
    videoId: requireVideo(draft.video),
    article: article.html,
    articleMinutes: article.minutes,
  }
  const lessonId = await insertLesson(tx, {
    ...fields,
    ownerId: viewer.id,
    pictureId,
    price: LESSON_PRICE,
    createdAt: now,
  })
  await exchangePicture(tx, { before: null, after: pictureId, ownerId: viewer.id, as: 'cover' })
  const resources = await claimResource(tx, viewer, lessonId, draft.resources)
  if (resources !== draft.resources) await updateResources(tx, lessonId, resources)
  const { rewarded, rewardReason } = await grantLessonReward(tx, {
    userId: viewer.id,
    lessonId,
    title: draft.title,
    videoId: fields.videoId,
    articleText: article.text,
    day: utcDay(now),
    limit: dailyRewardLimit,
  })
  return { lessonId, rewarded, rewardReason }
}

async function toCreated(
  db: Db,
  viewer: Viewer,
  { lessonId, rewarded, rewardReason }: PublishedDraft,
): Promise<CreatedLesson> {
  return { ...(await readWritten(db, viewer, lessonId)), rewarded, rewardReason }
}
