import type { ReactNode } from 'react'
import type { LessonCard } from '#contract/lessons.ts'
import { useSession } from '#web/core/session.ts'
import { to } from '#web/core/paths.ts'
import { isPatternPaper } from '#web/ui/books/book-picture.ts'
import { ItemNumbers } from '#web/items/shared/list/ItemNumbers.tsx'
import { ItemCard } from '#web/items/shared/list/ItemCard.tsx'
import type { Hit } from '#web/ui/MarkedText.tsx'

interface LessonItemProps {
  readonly lesson: LessonCard
  readonly level?: 'h2' | 'h3' | undefined
  /** True for pictures above the fold, which load first. */
  readonly eager?: boolean | undefined
  readonly far?: ReactNode
  readonly found?: Hit | undefined
}

export function LessonItem({ lesson, level, eager, far, found }: LessonItemProps) {
  const isOwn = useSession()?._id === lesson.owner
  return (
    <ItemCard
      item={lesson}
      label={isPatternPaper(lesson.thumbnail) ? lesson.title : undefined}
      level={level}
      eager={eager}
      isOwn={isOwn}
      found={found}
      href={to.lesson(lesson.id)}
    >
      {far}
      <ItemNumbers kind="lesson" item={lesson} />
    </ItemCard>
  )
}
