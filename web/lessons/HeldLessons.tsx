import type { ReactNode } from 'react'
import type { LessonCard } from '#contract/lessons.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { LessonItem } from '#web/lessons/LessonItem.tsx'
import { TurnLinks } from '#web/lessons/PageLinks.tsx'
import { CardGrid } from '#web/ui/CardGrid.tsx'
import { Head } from '#web/ui/Head.tsx'

interface HeldLessonsProps {
  readonly title: string
  readonly page: number
  readonly items: readonly LessonCard[]
  readonly href: (page: number) => string
  readonly end?: ReactNode
  /** What is shown while another page is fetched; false when none is. */
  readonly waiting: ReactNode
  readonly empty: ReactNode
}

/** The lessons that somebody made or bought. */
export function HeldLessons({ title, page, items, href, end, waiting, empty }: HeldLessonsProps) {
  const isEmpty = items.length === 0
  return (
    <>
      <Head title={title} as="h1" end={isEmpty ? undefined : end} />
      {waiting !== false && waiting}
      {waiting === false && isEmpty && empty}
      {waiting === false && !isEmpty && (
        <CardGrid>
          {items.map((lesson, index) => (
            <LessonItem key={lesson.id} lesson={lesson} level="h2" eager={index < PAGE_SIZE / 2} />
          ))}
        </CardGrid>
      )}
      <TurnLinks page={page} more={items.length === PAGE_SIZE} href={href} />
    </>
  )
}
