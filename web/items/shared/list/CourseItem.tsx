import type { CourseCard } from '#contract/courses.ts'
import { useText } from '#web/core/i18n.tsx'
import { useSession } from '#web/core/session.ts'
import { to } from '#web/core/paths.ts'
import { ItemNumbers } from '#web/items/shared/list/ItemNumbers.tsx'
import { ItemCard } from '#web/items/shared/list/ItemCard.tsx'
import type { Hit } from '#web/ui/MarkedText.tsx'
import { StateWord } from '#web/ui/books/StateWord.tsx'

interface CourseItemProps {
  readonly course: CourseCard
  readonly level?: 'h2' | 'h3' | undefined
  /** True for pictures above the fold, which load first. */
  readonly eager?: boolean | undefined
  readonly found?: Hit | undefined
  /** Shown instead of the number of lessons. */
  readonly far?: string | undefined
  /** The lesson to open; by default the first, which also opens if this one isn't in the course. */
  readonly opens?: number | undefined
}

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
