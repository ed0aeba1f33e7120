import type { LessonCard } from '#contract/lessons.ts'
import { LessonItem } from '#web/items/lessons/LessonItem.tsx'
import { CardGrid } from '#web/ui/books/CardGrid.tsx'
import styles from '#web/ui/styles/Item.module.css'

export interface LessonsBesideProps {
  readonly lessons: readonly LessonCard[]
  /** In a row below the page, or in a column beside it. */
  readonly place: 'below' | 'side'
}

export function LessonsBeside({ lessons, place }: LessonsBesideProps) {
  const cards = lessons.map((lesson) => <LessonItem key={lesson.id} lesson={lesson} level="h3" />)
  return place === 'side' ? (
    <div className={styles.list}>{cards}</div>
  ) : (
    <CardGrid>{cards}</CardGrid>
  )
}
