import type { ReactNode } from 'react'
import { PAGE_SIZE } from '#contract/limits.ts'
import { TurnLinks } from '#web/items/list/PageLinks.tsx'
import { CardGrid } from '#web/ui/books/CardGrid.tsx'
import { Head } from '#web/ui/Head.tsx'

interface HeldItemsProps<Item> {
  readonly title: string
  readonly page: number
  readonly items: readonly Item[]
  readonly href: (page: number) => string
  readonly end?: ReactNode
  /** What is shown while another page is fetched; false when none is. */
  readonly waiting: ReactNode
  readonly empty: ReactNode
  /** The card of an item; `eager` for those that are seen first. */
  readonly card: (item: Item, eager: boolean) => ReactNode
}

/** The lessons or courses that somebody made or bought. */
export function HeldItems<Item>(props: HeldItemsProps<Item>) {
  const { title, page, items, href, end, waiting, empty, card } = props
  const isEmpty = items.length === 0
  return (
    <>
      <Head title={title} as="h1" end={isEmpty ? undefined : end} />
      {waiting !== false && waiting}
      {waiting === false && isEmpty && empty}
      {waiting === false && !isEmpty && (
        <CardGrid>{items.map((item, index) => card(item, index < PAGE_SIZE / 2))}</CardGrid>
      )}
      <TurnLinks page={page} more={items.length === PAGE_SIZE} href={href} />
    </>
  )
}
