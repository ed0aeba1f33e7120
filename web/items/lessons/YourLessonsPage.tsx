import { LESSON_REWARD } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { DraftList, DraftTabs } from '#web/items/drafts/DraftList.tsx'
import { MadeItems } from '#web/items/shared/list/OwnItems.tsx'
import { LessonItem } from '#web/items/lessons/LessonItem.tsx'
import type { loader } from '#web/items/lessons/YourLessonsPage.data.ts'

export default function YourLessonsPage() {
  const { page, items, drafts, isDrafts } = usePageData<typeof loader>()
  const { t, formatNumber } = useText()
  return (
    <MadeItems
      title={t('yourLessons')}
      tabs={<DraftTabs kind="lesson" count={drafts.length} isDrafts={isDrafts} />}
      drafts={
        isDrafts ? (create) => <DraftList kind="lesson" drafts={drafts} create={create} /> : null
      }
      page={page}
      items={items}
      href={to.yourLessons}
      step={{ label: t('createLesson'), href: to.createLesson() }}
      none={t('noLessonsYet')}
      loading={t('loadingLessons')}
      encouragement={t('yoursEmpty', { reward: formatNumber(LESSON_REWARD) })}
      card={(lesson, eager) => (
        <LessonItem key={lesson.id} lesson={lesson} level="h2" eager={eager} />
      )}
    />
  )
}
