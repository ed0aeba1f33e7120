import { courses } from '#contract/courses.ts'
import { COURSE_LESSONS } from '#contract/limits.ts'
import type { RewardCheck } from '#contract/points.ts'
import { api } from '#web/core/api.ts'
import { useDebouncedCheck } from '#web/items/shared/form/reward-check.ts'

/** Returns the reward for a course of these lessons; null while there are too few or too many. */
export function useCourseReward(
  lessons: readonly number[],
  isSending: boolean,
): RewardCheck | null {
  const { min, max } = COURSE_LESSONS
  const isReady = lessons.length >= min && lessons.length <= max
  // The order of the lessons doesn't affect the reward.
  const sorted = lessons.toSorted((a, b) => a - b)
  return useDebouncedCheck(isReady ? sorted.join(' ') : '', isSending, (signal) =>
    api(courses.checkReward, { lessons: sorted }, { signal }),
  )
}
