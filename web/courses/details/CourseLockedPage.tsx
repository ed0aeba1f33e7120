import type { Course } from '#contract/courses.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'
import { useCourseOffer } from '#web/courses/details/course-offer.ts'
import { CourseActs } from '#web/courses/details/CourseActs.tsx'
import { CourseFigures } from '#web/courses/details/CourseFacts.tsx'
import { CourseInside } from '#web/courses/details/CourseInside.tsx'
import { Byline, TagList } from '#web/items/details/ItemFacts.tsx'
import { LockedItem } from '#web/items/details/LockedItem.tsx'
import { BuyPanel } from '#web/purchases/BuyPanel.tsx'

/** For those who have not unlocked it: what it is, what is inside, what it costs. */
export function CourseLockedPage({ course }: { readonly course: Course }) {
  const { t } = useText()
  const offer = useCourseOffer(course)
  const isGuest = useSession() === null
  return (
    <LockedItem
      course
      item={course}
      list={{ name: t('courses'), href: to.courses() }}
      inside={<CourseInside course={course} />}
    >
      <Byline item={course} />
      <CourseFigures course={course} />
      <TagList tags={course.tags} />
      <BuyPanel mayBuy={course.can.buy} offer={offer} />
      <CourseActs course={course} bare={isGuest} />
    </LockedItem>
  )
}
