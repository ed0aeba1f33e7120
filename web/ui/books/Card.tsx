import type { ReactNode } from 'react'

interface CardProps {
  readonly book: ReactNode
  readonly title: string
  /** The title's language, when it is not the page's: Bulgarian letters have forms of their own. */
  readonly lang?: string | undefined
  readonly level?: 'h2' | 'h3' | undefined
  /** Face, name and state of the owner's line. */
  readonly by: ReactNode
  /** Stats and, last, the CardLink. */
  readonly stats: ReactNode
}

/** The frame of a card: a book, its title, who made it, its numbers. The book is the box. */
export function Card({ book, title, lang, level: Title = 'h3', by, stats }: CardProps) {
  return (
    <article className="card">
      {book}
      <div>
        <Title lang={lang} dir="auto">
          {title}
        </Title>
        <p className="by">{by}</p>
        <p className="stats">{stats}</p>
      </div>
    </article>
  )
}
