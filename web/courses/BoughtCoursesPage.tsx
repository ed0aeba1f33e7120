import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { BoughtItems } from '#web/items/list/OwnItems.tsx'
import type { loader } from '#web/courses/BoughtCoursesPage.data.ts'
import { CourseItem } from '#web/courses/CourseItem.tsx'

/** The courses that the signed-in person bought. */
export default function BoughtCoursesPage() {
  const { page, items } = usePageData<typeof loader>()
  const { t } = useText()
  return (
    <BoughtItems
      title={t('boughtCourses')}
      page={page}
      items={items}
      href={to.boughtCourses}
      step={{ label: t('browseCourses'), href: to.courses() }}
      none={t('noCoursesYet')}
      card={(course, eager) => (
        <CourseItem key={course.id} course={course} level="h2" eager={eager} />
      )}
    />
  )
}
