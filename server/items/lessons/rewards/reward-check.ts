import type { RewardCheck } from '#contract/points.ts'
import { videoId } from '#contract/video.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { utcDay } from '#server/kernel/clock.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { requireRight } from '#server/items/shared/access.ts'
import { readArticle, requireLetters } from '#server/items/lessons/article.ts'
import { findLesson } from '#server/items/lessons/store.ts'
import { lessonGone, type WriteNeeds } from '#server/items/lessons/writing.ts'
import { judgeEditReward, judgeReward } from '#server/people/points/judging.ts'

interface Draft {
  /** The lesson that is edited. */
  readonly id?: number | undefined
  readonly video: string
  readonly article: string
}

/**
 * Foretells the reward of a new lesson, or whether an edit takes it back.
 * @throws Refusal 400 at `video` and `article`, 403 and 404 for the lesson that is edited
 */
export async function checkLessonReward(
  { db, clock, settings }: Omit<WriteNeeds, 'storePicture'>,
  viewer: Viewer,
  { id, video, article }: Draft,
): Promise<RewardCheck> {
  const youtubeId = videoId(video)
  if (youtubeId === null) throw invalidField('video', 'provideYoutube')
  const { text } = readArticle(article)
  requireLetters(text)
  const at = clock.now()
  const content = { videoId: youtubeId, articleText: text, at }
  if (id === undefined)
    return judgeReward(db, {
      ...content,
      userId: viewer.id,
      day: utcDay(at),
      limit: settings.current.DAILY_REWARD_LIMIT,
    })
  const lesson = await findLesson(db, id, viewer.id)
  if (lesson === null) throw lessonGone()
  requireRight('edit', viewer, lesson.owner_id)
  return judgeEditReward(db, { ...content, userId: lesson.owner_id, lessonId: id })
}
