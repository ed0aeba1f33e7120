import type { OpenLesson } from '#contract/lessons.schemas.ts'
import { usePageData } from '#web/core/page.ts'
import { type LoadableView, pageView } from '#web/core/router/page-view.ts'
import type { loader } from '#web/courses/CourseDetailsPage.data.ts'
import { isOpen } from '#web/lessons/open-lesson.ts'

type Data = Awaited<ReturnType<typeof loader>>

const locked = pageView('courses/details/CourseLockedPage', async () => {
  const { CourseLockedPage } = await import('#web/courses/details/CourseLockedPage.tsx')
  return CourseLockedPage
})
const open = pageView('courses/details/CourseOpenPage', async () => {
  const { CourseOpenPage } = await import('#web/courses/details/CourseOpenPage.tsx')
  return CourseOpenPage
})

/**
 * Whoever has the course reads its lessons; a free preview is open to everybody. A lesson that somebody bought by
 * itself opens on its own page: of the course they see the offer, with that lesson linked.
 */
function openedLesson({ course, lesson }: Data): OpenLesson | null {
  const opens =
    lesson !== null && isOpen(lesson) && (course.can.see || course.freePreview === lesson.id)
  return opens ? lesson : null
}

/** The view that the data ask for: the open one for who may read it, else the offer. */
export const viewOf = (data: Data): LoadableView => (openedLesson(data) === null ? locked : open)

/** A course: open, or as an offer. */
export default function CourseDetailsPage() {
  const data = usePageData<typeof loader>()
  const { course } = data
  const lesson = openedLesson(data)
  return lesson === null ? (
    <locked.View key={course.id} course={course} />
  ) : (
    <open.View key={`${course.id}/${lesson.id}`} course={course} lesson={lesson} />
  )
}
