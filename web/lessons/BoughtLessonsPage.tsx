import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { BoughtItems } from '#web/items/list/OwnItems.tsx'
import type { loader } from '#web/lessons/BoughtLessonsPage.data.ts'
import { LessonItem } from '#web/lessons/LessonItem.tsx'

/** The lessons that the signed-in person bought. */
export default function BoughtLessonsPage() {
  const { page, items } = usePageData<typeof loader>()
  const { t } = useText()
  return (
    <BoughtItems
      title={t('boughtLessons')}
      page={page}
      items={items}
      href={to.boughtLessons}
      step={{ label: t('browseLessons'), href: to.lessons() }}
      none={t('noLessonsYet')}
      card={(lesson, eager) => (
        <LessonItem key={lesson.id} lesson={lesson} level="h2" eager={eager} />
      )}
    />
  )
}
