/** Parts of a course's page that a guest has no use for, or not yet. */
import { personPart } from '#web/core/router/page-view.ts'
import { partAtNeed } from '#web/core/router/part-at-need.tsx'

/** Below a free preview, where one comes to after reading. */
export const previewOffer = partAtNeed('courses/details/PreviewOffer', async () => {
  const module = await import('#web/courses/details/PreviewOffer.tsx')
  return module.PreviewOffer
})

/** Links alone, which lead on as they are. */
export const coursesBeside = partAtNeed('courses/details/CoursesBeside', async () => {
  const module = await import('#web/courses/details/CoursesBeside.tsx')
  return module.CoursesBeside
})

/** The way from lesson to lesson, for who has the course. */
export const courseTurn = personPart('courses/details/CourseTurn', async () => {
  const module = await import('#web/courses/details/CourseTurn.tsx')
  return module.CourseTurn
})
