import { useMoment } from '#web/core/moments/moment.ts'
import { CourseFarWide } from '#web/items/shared/list/Far.tsx'
import { Newest } from '#web/items/shared/list/Newest.tsx'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { BoughtItems } from '#web/items/shared/list/OwnItems.tsx'
import type { loader } from '#web/items/courses/BoughtCoursesPage.data.ts'
import { useMarks } from '#web/items/progress/use-marks.ts'
import { courseStage } from '#web/items/progress/stages.ts'
import { CourseItem } from '#web/items/shared/list/CourseItem.tsx'

export default function BoughtCoursesPage() {
  const { page, sort, items } = usePageData<typeof loader>()
  const { t } = useText()
  const moment = useMoment()
  const marks = useMarks(items.flatMap(({ lessons }) => lessons))
  const farIn = (lessons: readonly number[]) => {
    const { done } = courseStage(lessons, marks.of)
    return done === 0 ? undefined : t('stallDoneOf', { done, total: lessons.length })
  }
  return (
    <BoughtItems
      title={t('boughtCourses')}
      page={page}
      sort={sort}
      items={items}
      href={to.boughtCourses}
      step={{ label: t('browseCourses'), href: to.courses() }}
      none={t('noCoursesYet')}
      newest={(course) => {
        const { stage, done, next } = courseStage(course.lessons, marks.of)
        return (
          <Newest
            course
            item={course}
            href={to.course(course.id, next)}
            stage={stage}
            far={<CourseFarWide done={done} total={course.lessons.length} />}
            moment={moment}
          />
        )
      }}
      card={(course, eager) => (
        <CourseItem
          key={course.id}
          course={course}
          level="h2"
          eager={eager}
          far={farIn(course.lessons)}
        />
      )}
    />
  )
}
