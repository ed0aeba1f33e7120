import { useMoment } from '#web/core/moments/moment.ts'
import { usePageData } from '#web/core/page.ts'
import type { loader } from '#web/items/courses/CourseDetailsPage.data.ts'
import { openedLesson } from '#web/items/courses/details/opened-lesson.ts'
import { CourseLockedPage } from '#web/items/courses/details/CourseLockedPage.tsx'
import { CourseOpenPage } from '#web/items/courses/details/CourseOpenPage.tsx'
import { RefusedPurchase } from '#web/items/purchases/RefusedPurchase.tsx'

export default function CourseDetailsPage() {
  const data = usePageData<typeof loader>()
  const { course, also } = data
  const lesson = openedLesson(data)
  const moment = useMoment()
  return (
    <>
      <RefusedPurchase />
      {lesson !== null && moment}
      {lesson === null ? (
        <CourseLockedPage key={course.id} course={course} also={also} />
      ) : (
        <CourseOpenPage key={`${course.id}/${lesson.id}`} course={course} lesson={lesson} />
      )}
    </>
  )
}
