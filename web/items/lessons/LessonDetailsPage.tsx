import { useMoment } from '#web/core/moments/moment.ts'
import { usePageData } from '#web/core/page.ts'
import type { loader } from '#web/items/lessons/LessonDetailsPage.data.ts'
import { isOpen } from '#web/items/lessons/open-lesson.ts'
import { LockedPage } from '#web/items/lessons/details/LockedPage.tsx'
import { OpenPage } from '#web/items/lessons/details/OpenPage.tsx'
import { RefusedPurchase } from '#web/items/purchases/RefusedPurchase.tsx'

export default function LessonDetailsPage() {
  const { lesson, because, otherLessons } = usePageData<typeof loader>()
  const celebration = useMoment()
  return (
    <>
      <RefusedPurchase />
      {isOpen(lesson) && celebration}
      {isOpen(lesson) ? (
        <OpenPage key={lesson.id} lesson={lesson} because={because} otherLessons={otherLessons} />
      ) : (
        <LockedPage key={lesson.id} lesson={lesson} because={because} otherLessons={otherLessons} />
      )}
    </>
  )
}
