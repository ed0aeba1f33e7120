/** Parts of a lesson's page that a guest who reads it has no need of, or not yet. */
import { personPart } from '#web/core/router/page-view.ts'
import { partAtNeed } from '#web/core/router/part-at-need.tsx'

/** Links alone, which lead on as they are. */
export const lessonsBeside = partAtNeed('lessons/details/LessonsBeside', async () => {
  const { LessonsBeside } = await import('#web/lessons/details/LessonsBeside.tsx')
  return LessonsBeside
})

export const doneStep = personPart('lessons/details/DoneStep', async () => {
  const { DoneStep } = await import('#web/lessons/details/DoneStep.tsx')
  return DoneStep
})
