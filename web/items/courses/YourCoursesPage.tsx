import { COURSE_REWARD } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { DraftList, DraftTabs } from '#web/items/drafts/DraftList.tsx'
import { MadeItems } from '#web/items/shared/list/OwnItems.tsx'
import { CourseItem } from '#web/items/shared/list/CourseItem.tsx'
import type { loader } from '#web/items/courses/YourCoursesPage.data.ts'

export default function YourCoursesPage() {
  const { page, items, drafts, isDrafts } = usePageData<typeof loader>()
  const { t, formatNumber } = useText()
  return (
    <MadeItems
      title={t('yourCourses')}
      tabs={<DraftTabs kind="course" count={drafts.length} isDrafts={isDrafts} />}
      drafts={
        isDrafts ? (create) => <DraftList kind="course" drafts={drafts} create={create} /> : null
      }
      page={page}
      items={items}
      href={to.yourCourses}
      step={{ label: t('createCourse'), href: to.createCourse() }}
      none={t('noCoursesYet')}
      loading={t('loadingCourses')}
      encouragement={t('yoursCoursesEmpty', { reward: formatNumber(COURSE_REWARD) })}
      card={(course, eager) => (
        <CourseItem key={course.id} course={course} level="h2" eager={eager} />
      )}
    />
  )
}
