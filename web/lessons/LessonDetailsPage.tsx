import { usePageData } from '#web/core/page.ts'
import type { loader } from '#web/lessons/LessonDetailsPage.data.ts'
import { LockedPage } from '#web/lessons/details/LockedPage.tsx'
import { isOpen } from '#web/lessons/open-lesson.ts'
import { OpenPage } from '#web/lessons/details/OpenPage.tsx'

/** A lesson: open for who may see it, else the page on which it is unlocked. */
export default function LessonDetailsPage() {
  const { lesson, others } = usePageData<typeof loader>()
  return isOpen(lesson) ? (
    <OpenPage key={lesson.id} lesson={lesson} others={others} />
  ) : (
    <LockedPage key={lesson.id} lesson={lesson} others={others} />
  )
}
