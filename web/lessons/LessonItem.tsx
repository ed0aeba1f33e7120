import type { LessonCard } from '#contract/lessons.schemas.ts'
import { useSession } from '#web/core/session.ts'
import { to } from '#web/core/paths.ts'
import { isPatternPaper } from '#web/items/list/book-picture.ts'
import { CardNumbers } from '#web/items/list/CardNumbers.tsx'
import { ItemCard } from '#web/items/list/ItemCard.tsx'

interface LessonItemProps {
  readonly lesson: LessonCard
  readonly level?: 'h2' | 'h3' | undefined
  /** One of the pictures that are seen first. */
  readonly eager?: boolean | undefined
}

/** A lesson in a list. */
export function LessonItem({ lesson, level, eager }: LessonItemProps) {
  const isOwn = useSession()?._id === lesson.owner
  return (
    <ItemCard
      item={lesson}
      label={isPatternPaper(lesson.thumbnail) ? lesson.title : undefined}
      level={level}
      eager={eager}
      isOwn={isOwn}
      href={to.lesson(lesson.id)}
    >
      <CardNumbers kind="lesson" item={lesson} />
    </ItemCard>
  )
}
