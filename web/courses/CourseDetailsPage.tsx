import { usePageData } from '#web/core/page.ts'
import type { loader } from '#web/courses/CourseDetailsPage.data.ts'
import { CourseLockedPage } from '#web/courses/details/CourseLockedPage.tsx'
import { CourseOpenPage } from '#web/courses/details/CourseOpenPage.tsx'
import { isOpen } from '#web/lessons/open-lesson.ts'

/**
 * Whoever has the course reads its lessons; a free preview is open to everybody. A lesson that somebody bought by
 * itself opens on its own page: of the course they see the offer, with that lesson linked.
 */
export default function CourseDetailsPage() {
  const { course, lesson } = usePageData<typeof loader>()
  const opens =
    lesson !== null && isOpen(lesson) && (course.can.see || course.freePreview === lesson.id)
  return opens ? (
    <CourseOpenPage key={`${course.id}/${lesson.id}`} course={course} lesson={lesson} />
  ) : (
    <CourseLockedPage key={course.id} course={course} />
  )
}
