import { Link } from 'react-router'
import { COURSE_REWARD } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { CourseItem } from '#web/courses/CourseItem.tsx'
import type { loader } from '#web/courses/YourCoursesPage.data.ts'
import { HeldItems } from '#web/items/list/HeldItems.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { GridSkeleton } from '#web/ui/Skeleton.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'

/** The courses that the signed-in person made, and the way to make another. */
export default function YourCoursesPage() {
  const { page, items } = usePageData<typeof loader>()
  const { t, formatNumber } = useText()
  const waits = useSlowWait(to.yourCourses())
  const create = (
    <ButtonLink as={Link} kind="main" icon="plus" to={to.createCourse()}>
      {t('createCourse')}
    </ButtonLink>
  )
  return (
    <HeldItems
      title={t('yourCourses')}
      page={page}
      items={items}
      href={to.yourCourses}
      end={create}
      waiting={waits && <GridSkeleton label={t('loadingCourses')} />}
      empty={
        <Empty drawing="shelf" title={t('noCoursesYet')} step={create}>
          {t('yoursCoursesEmpty', { reward: formatNumber(COURSE_REWARD) })}
        </Empty>
      }
      card={(course, eager) => (
        <CourseItem key={course.id} course={course} level="h2" eager={eager} />
      )}
    />
  )
}
