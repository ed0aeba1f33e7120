import { useMoment } from '#web/core/moments/moment.ts'
import { usePageData } from '#web/core/page.ts'
import { locked, open } from '#web/lessons/details/lesson-views.ts'
import type { loader } from '#web/lessons/LessonDetailsPage.data.ts'
import { isOpen } from '#web/lessons/open-lesson.ts'

/** A lesson: open for who may see it, else the page on which it is unlocked. */
export default function LessonDetailsPage() {
  const { lesson, because, others } = usePageData<typeof loader>()
  const moment = useMoment()
  return isOpen(lesson) ? (
    <>
      {moment}
      <open.View key={lesson.id} lesson={lesson} because={because} others={others} />
    </>
  ) : (
    <locked.View key={lesson.id} lesson={lesson} because={because} others={others} />
  )
}
