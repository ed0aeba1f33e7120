import { useNavigate } from 'react-router'
import type { Course } from '#contract/courses.schemas.ts'
import { courses } from '#contract/courses.ts'
import { api } from '#web/core/api.ts'
import { useReload } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import type { Offer } from '#web/purchases/BuyDialog.tsx'

/** A course as something to buy. */
export function useCourseOffer(course: Course): Offer {
  const navigate = useNavigate()
  const reload = useReload()
  return {
    kind: 'course',
    title: course.title,
    price: course.price,
    buy: () => api(courses.buy, { id: course.id }),
    onBought: () => void navigate(to.boughtCourses()),
    onHeld: () => void reload(),
  }
}
