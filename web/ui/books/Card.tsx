import type { ReactNode } from 'react'
import styles from './Book.module.css'

interface CardProps {
  readonly book: ReactNode
  readonly title: ReactNode
  /** The title's language, when it is not the page's: Bulgarian letters have forms of their own. */
  readonly lang?: string | undefined
  readonly level?: 'h2' | 'h3' | undefined
  /** What it is about: the line by which people choose. */
  readonly about?: ReactNode
  /** Face, name and state of the owner's line. */
  readonly by: ReactNode
  /** Stats and, last, the CardLink. */
  readonly stats: ReactNode
}

/** The frame of a card: a book, its title, who made it, its numbers. The book is the box. */
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
