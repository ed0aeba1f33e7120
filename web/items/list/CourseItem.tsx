import type { CourseCard } from '#contract/courses.ts'
import { useText } from '#web/core/i18n.tsx'
import { useSession } from '#web/core/session.ts'
import { to } from '#web/core/paths.ts'
import { ItemNumbers } from '#web/items/list/ItemNumbers.tsx'
import { ItemCard } from '#web/items/list/ItemCard.tsx'
import type { Hit } from '#web/ui/MarkedText.tsx'
import { StateWord } from '#web/ui/books/StateWord.tsx'

interface CourseItemProps {
  readonly course: CourseCard
  readonly level?: 'h2' | 'h3' | undefined
  /** One of the pictures that are seen first. */
  readonly eager?: boolean | undefined
  /** Why a search found it. */
  readonly found?: Hit | undefined
  /** Instead of how many lessons it has. */
  readonly far?: string | undefined
  /** The lesson that the link opens; the first by default, and instead of what is none of the course. */
  readonly opens?: number | undefined
}

/** A course in a list; its link leads to its first lesson. */
export function CourseItem({ course, level, eager, found, far, opens }: CourseItemProps) {
  const { t } = useText()
  const isOwn = useSession()?._id === course.owner
  return (
    <ItemCard
      course
      item={course}
      level={level}
      eager={eager}
      isOwn={isOwn}
      found={found}
      href={to.course(course.id, opens ?? course.lessons[0])}
    >
      <StateWord>{far ?? t('lessonCount', { total: course.lessons.length })}</StateWord>
      <ItemNumbers kind="course" item={course} />
    </ItemCard>
  )
}
