import { useMoment } from '#web/core/moments/moment.ts'
import { usePageData } from '#web/core/page.ts'
import type { loader } from '#web/courses/CourseDetailsPage.data.ts'
import { locked, open, openedLesson } from '#web/courses/details/course-views.ts'

/** A course: open, or as an offer. */
export default function CourseDetailsPage() {
  const data = usePageData<typeof loader>()
  const { course, also } = data
  const lesson = openedLesson(data)
  const moment = useMoment()
  return lesson === null ? (
    <locked.View key={course.id} course={course} also={also} />
  ) : (
    <>
      {moment}
      <open.View key={`${course.id}/${lesson.id}`} course={course} lesson={lesson} />
    </>
  )
}
