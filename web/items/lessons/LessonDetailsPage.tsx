import { useMoment } from '#web/core/moments/moment.ts'
import { usePageData } from '#web/core/page.ts'
import type { loader } from '#web/items/lessons/LessonDetailsPage.data.ts'
import { isOpen } from '#web/items/lessons/open-lesson.ts'
import { LockedPage } from '#web/items/lessons/details/LockedPage.tsx'
import { OpenPage } from '#web/items/lessons/details/OpenPage.tsx'
import { RefusedPurchase } from '#web/items/purchases/RefusedPurchase.tsx'

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
