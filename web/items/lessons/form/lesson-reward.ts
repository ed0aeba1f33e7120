import { Video } from '#contract/lesson-forms.ts'
import { lessons } from '#contract/lessons.ts'
import type { RewardCheck } from '#contract/points.ts'
import { api } from '#web/core/api.ts'
import { useDebouncedCheck } from '#web/items/shared/form/reward-check.ts'
import { articleProblem } from '#web/items/lessons/article/article-length.ts'

/** Returns the reward for a valid video and article; null while they are invalid. */
export function useLessonReward(
  { video, article }: { readonly video: string; readonly article: string },
  isSending: boolean,
): RewardCheck | null {
  const isReady = Video.safeParse(video).success && articleProblem(article) === null
  return useDebouncedCheck(isReady ? `${video} ${article}` : '', isSending, (signal) =>
    api(lessons.checkReward, { video, article }, { signal }),
  )
}
