import { useMoment } from '#web/core/moments/moment.ts'
import { usePageData } from '#web/core/page.ts'
import type { loader } from '#web/lessons/LessonDetailsPage.data.ts'
import { isOpen } from '#web/lessons/open-lesson.ts'
import { LockedPage } from '#web/lessons/details/LockedPage.tsx'
import { OpenPage } from '#web/lessons/details/OpenPage.tsx'
import { RefusedPurchase } from '#web/purchases/RefusedPurchase.tsx'

export default function LessonDetailsPage() {
  const { lesson, because, others } = usePageData<typeof loader>()
  const moment = useMoment()
  return (
    <>
      <RefusedPurchase />
      {isOpen(lesson) && moment}
      {isOpen(lesson) ? (
        <OpenPage key={lesson.id} lesson={lesson} because={because} others={others} />
      ) : (
        <LockedPage key={lesson.id} lesson={lesson} because={because} others={others} />
      )}
    </>
  )
}
