/** Parts of a lesson's page that a guest who reads it has no need of yet. */
import { partAtNeed } from '#web/core/router/part-at-need.tsx'

/** Links alone, which lead on as they are. */
export const lessonsBeside = partAtNeed('lessons/details/LessonsBeside', async () => {
  const { LessonsBeside } = await import('#web/lessons/details/LessonsBeside.tsx')
  return LessonsBeside
})
