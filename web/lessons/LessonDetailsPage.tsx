import { usePageData } from '#web/core/page.ts'
import { type LoadableView, pageView } from '#web/core/router/page-view.ts'
import type { loader } from '#web/lessons/LessonDetailsPage.data.ts'
import { isOpen } from '#web/lessons/open-lesson.ts'

type Data = Awaited<ReturnType<typeof loader>>

// Guests meet the offer nearly always: player, article and comments come with what has been unlocked.
const locked = pageView('lessons/details/LockedPage', async () => {
  const { LockedPage } = await import('#web/lessons/details/LockedPage.tsx')
  return LockedPage
})
const open = pageView('lessons/details/OpenPage', async () => {
  const { OpenPage } = await import('#web/lessons/details/OpenPage.tsx')
  return OpenPage
})

/** The view that the data ask for: the open one for who may read it, else the offer. */
export const viewOf = ({ lesson }: Data): LoadableView => (isOpen(lesson) ? open : locked)

/** A lesson: open for who may see it, else the page on which it is unlocked. */
/** A lesson: open, or as an offer. */
export default function LessonDetailsPage() {
  const { lesson, others } = usePageData<typeof loader>()
  return isOpen(lesson) ? (
    <open.View key={lesson.id} lesson={lesson} others={others} />
  ) : (
    <locked.View key={lesson.id} lesson={lesson} others={others} />
  )
}
