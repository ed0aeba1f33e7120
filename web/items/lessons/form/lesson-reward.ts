import { Video } from '#contract/lesson-forms.ts'
import { lessons } from '#contract/lessons.ts'
import type { RewardCheck } from '#contract/points.ts'
import { api } from '#web/core/api.ts'
import { useDebouncedCheck } from '#web/items/shared/form/reward-check.ts'
import { articleProblem } from '#web/items/lessons/article/article-length.ts'

interface Content {
  readonly video: string
  readonly article: string
}

/**
 * Returns the reward for a valid video and article; null while they are invalid. For the edit of a lesson, it is null
 * too while they are as `stored`.
 */
export function useLessonReward(
  { video, article }: Content,
  isSending: boolean,
  stored?: Content & { readonly id: number },
): RewardCheck | null {
  const isSame = video === stored?.video && article === stored.article
  const isReady = !isSame && Video.safeParse(video).success && articleProblem(article) === null
  return useDebouncedCheck(isReady ? `${video} ${article}` : '', isSending, (signal) =>
    api(lessons.checkReward, { ...(stored && { id: stored.id }), video, article }, { signal }),
  )
}
