import type { ReactNode } from 'react'
import styles from './Book.module.css'

interface CardProps {
  readonly book: ReactNode
  readonly title: ReactNode
  /** The title's language if it differs from the page's. */
  readonly lang?: string | undefined
  readonly level?: 'h2' | 'h3' | undefined
  /** The description. */
  readonly about?: ReactNode
  /** The owner's picture and name, and the item's state. */
  readonly by: ReactNode
  /** Stat elements, and CardLink at the end. */
  readonly stats: ReactNode
}

export function Card({ book, title, lang, level: Title = 'h3', about, by, stats }: CardProps) {
  return (
    <article className={styles.card}>
      {book}
      <div>
        <Title lang={lang} dir="auto">
          {title}
        </Title>
        {about}
        <p className={styles.by}>{by}</p>
        <p className={styles.stats}>{stats}</p>
      </div>
    </article>
  )
}
