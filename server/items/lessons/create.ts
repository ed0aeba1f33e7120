import type { LessonDraft } from '#contract/lesson-forms.ts'
import type { CreatedLesson } from '#contract/lessons.ts'
import { LESSON_PRICE } from '#contract/limits.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { lessonRef, type Event } from '#server/platform/events/catalogue.ts'
import { record } from '#server/platform/events/outbox.ts'
import { exchangePicture } from '#server/platform/files/picture-life.ts'
import { writeQuestions } from '#server/items/checks/writing.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { utcDay } from '#server/kernel/clock.ts'
import { refuseTitleWords } from '#server/items/words/title-words.ts'
import { publishOnce, type PublishedItem } from '#server/items/shared/drafts.ts'
import { writeArticle, type WrittenArticle } from '#server/items/lessons/article.ts'
import { insertLesson, updateResources } from '#server/items/lessons/store.ts'
import {
  claimResource,
  readWritten,
  requireVideo,
  type WriteNeeds,
} from '#server/items/lessons/writing.ts'
import { findOlderOf } from '#server/people/points/judging.ts'
import { grantLessonReward } from '#server/people/points/rewards.ts'
import { markWords } from '#server/items/words/indexing.ts'

/**
 * Publishes a lesson with its reward, or with the reason why there is none, in one transaction. A repeated draft
 * returns its first result. `event` is to be published.
 * @throws Refusal 400 at `article`, at the picture, and at `resources` for somebody else's upload
 */
export async function createLesson(
  needs: WriteNeeds,
  viewer: Viewer,
  draft: LessonDraft,
): Promise<{ lesson: CreatedLesson; event: Event | null }> {
  const { published, isNew } = await publishOnce(
    needs.db,
    'lesson',
    { ownerId: viewer.id, draftId: draft.draftId },
    async () => {
      refuseTitleWords(needs.settings, draft.title)
      const article = writeArticle(draft.article)
      const picture =
        draft.image === undefined ? null : await needs.storePicture(draft.image, viewer.id)
      return (tx) =>
        publish(tx, needs, viewer, { draft, article, pictureId: picture?.pictureId ?? null })
    },
  )
  const event = isNew ? publication(published.id, viewer) : null
  return { lesson: await toCreated(needs.db, viewer, published), event }
}

function publication(id: number, { id: ownerId }: Viewer) {
  return { type: 'lesson.published', item: lessonRef(id), also: [], ownerId } as const
}

interface Publication {
  readonly draft: LessonDraft
  readonly article: WrittenArticle
  readonly pictureId: number | null
}

async function publish(
  tx: Tx,
  { clock, settings, rewardsCopies = false }: WriteNeeds,
  viewer: Viewer,
  { draft, article, pictureId }: Publication,
): Promise<PublishedItem> {
  const now = clock.now()
  const video = requireVideo(draft.video)
  const fields = {
    ...draft,
    videoId: video.id,
    videoStart: video.start ?? 0,
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
  if (draft.checks !== undefined) await writeQuestions(tx, lessonId, draft.checks)
  const { rewarded, rewardReason } = await grantLessonReward(tx, {
    userId: viewer.id,
    lessonId,
    title: draft.title,
    videoId: fields.videoId,
    articleText: article.text,
    day: utcDay(now),
    at: now,
    limit: settings.current.DAILY_REWARD_LIMIT,
    rewardsCopies,
  })
  await markWords(tx, 'lesson', lessonId)
  await record(tx, publication(lessonId, viewer), now)
  return { id: lessonId, rewarded, rewardReason }
}

async function toCreated(
  db: Db,
  viewer: Viewer,
  { id, ...reward }: PublishedItem,
): Promise<CreatedLesson> {
  const older = reward.rewarded ? undefined : await findOlderOf(db, id)
  return { ...(await readWritten(db, viewer, id)), ...reward, ...(older && { older }) }
}
