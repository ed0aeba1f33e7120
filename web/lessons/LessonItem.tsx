import type { ReactNode } from 'react'
import type { LessonCard } from '#contract/lessons.ts'
import { useSession } from '#web/core/session.ts'
import { to } from '#web/core/paths.ts'
import { isPatternPaper } from '#web/ui/books/book-picture.ts'
import { ItemNumbers } from '#web/items/list/ItemNumbers.tsx'
import { ItemCard } from '#web/items/list/ItemCard.tsx'
import type { Hit } from '#web/ui/MarkedText.tsx'

interface LessonItemProps {
  readonly lesson: LessonCard
  readonly level?: 'h2' | 'h3' | undefined
  /** One of the pictures that are seen first. */
  readonly eager?: boolean | undefined
  /** How far one is in it, where that is known. */
  readonly far?: ReactNode
  /** Why a search found it. */
  readonly found?: Hit | undefined
}

/** A lesson in a list. */
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
