import { Link } from 'react-router'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import type { loader } from '#web/courses/BoughtCoursesPage.data.ts'
import { CourseItem } from '#web/courses/CourseItem.tsx'
import { HeldItems } from '#web/items/list/HeldItems.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { TurningBook } from '#web/ui/books/TurningBook.tsx'

/** The courses that the signed-in person bought. */
export default function BoughtCoursesPage() {
  const { page, items } = usePageData<typeof loader>()
  const { t } = useText()
  const waits = useSlowWait(to.boughtCourses())
  return (
    <HeldItems
      title={t('boughtCourses')}
      page={page}
      items={items}
      href={to.boughtCourses}
      waiting={waits && <TurningBook label={t('fetchingBooks')} />}
      empty={
        <Empty
          drawing="shelf"
          title={t('noCoursesYet')}
          step={
            <ButtonLink as={Link} kind="main" to={to.courses()}>
              {t('browseCourses')}
            </ButtonLink>
          }
        >
          {t('boughtEmpty')}
        </Empty>
      }
      card={(course, eager) => (
        <CourseItem key={course.id} course={course} level="h2" eager={eager} />
      )}
    />
  )
}
