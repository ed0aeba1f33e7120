import type { ReactNode } from 'react'
import { CardGrid } from '#web/ui/books/CardGrid.tsx'
import { Head } from '#web/ui/Head.tsx'

/** Cards side by side on a large screen. */
const A_ROW = 5

interface MoreLikeItProps<Item> {
  readonly title: string
  readonly others: readonly Item[]
  /** The card of one of them. */
  readonly children: (other: Item) => ReactNode
}

/** What may be wanted besides a locked item, as one row of cards; nothing without any. */
export function MoreLikeIt<Item>({ title, others, children }: MoreLikeItProps<Item>) {
  if (others.length === 0) return null
  return (
    <section className="more-like-it" aria-labelledby="others">
      <Head title={title} id="others" />
      <CardGrid>{others.slice(0, A_ROW).map(children)}</CardGrid>
    </section>
  )
}
