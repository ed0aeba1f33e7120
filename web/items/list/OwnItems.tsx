/** The lessons or courses that somebody made or bought. */
import type { ReactNode } from 'react'
import { PAGE_SIZE } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { TurnLinks } from '#web/items/list/PageLinks.tsx'
import { GridSkeleton } from '#web/ui/Skeleton.tsx'
import { CardGrid } from '#web/ui/books/CardGrid.tsx'
import { TurningBook } from '#web/ui/books/TurningBook.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'

interface ListProps<Item> {
  readonly title: string
  readonly page: number
  readonly items: readonly Item[]
  readonly href: (page?: number) => string
  /** The card of an item; `eager` for those that are seen first. */
  readonly card: (item: Item, eager: boolean) => ReactNode
  /** A step that leads out of the list: the only one when it is empty. */
  readonly step: { readonly label: string; readonly href: string }
  /** Said when there is nothing. */
  readonly none: string
}

interface MadeItemsProps<Item> extends ListProps<Item> {
  readonly loading: string
  /** What the first one earns, below `none`. */
  readonly encouragement: string
}

/** What somebody made; the step makes another one. */
export function MadeItems<Item>(props: MadeItemsProps<Item>) {
  const { step, none, loading, encouragement, ...list } = props
  const create = (
    <ButtonLink as={Link} kind="main" icon="plus" to={step.href}>
      {step.label}
    </ButtonLink>
  )
  return (
    <OwnItems
      {...list}
      end={create}
      waiting={<GridSkeleton label={loading} />}
      empty={
        <Empty drawing="shelf" title={none} step={create}>
          {encouragement}
        </Empty>
      }
    />
  )
}

/** What somebody bought; the step leads to what can be bought. */
export function BoughtItems<Item>({ step, none, ...list }: ListProps<Item>) {
  const { t } = useText()
  return (
    <OwnItems
      {...list}
      waiting={<TurningBook label={t('fetchingBooks')} />}
      empty={
        <Empty
          drawing="shelf"
          title={none}
          step={
            <ButtonLink as={Link} kind="main" to={step.href}>
              {step.label}
            </ButtonLink>
          }
        >
          {t('boughtEmpty')}
        </Empty>
      }
    />
  )
}

interface OwnItemsProps<Item> extends Omit<ListProps<Item>, 'step' | 'none'> {
  readonly end?: ReactNode
  /** Shown while another page is slow to come. */
  readonly waiting: ReactNode
  readonly empty: ReactNode
}

function OwnItems<Item>({ title, page, items, href, end, waiting, ...props }: OwnItemsProps<Item>) {
  const waits = useSlowWait(href())
  const isEmpty = items.length === 0
  return (
    <>
      <Head title={title} as="h1" end={isEmpty ? undefined : end} />
      {waits && waiting}
      {!waits && isEmpty && props.empty}
      {!waits && !isEmpty && (
        <CardGrid>{items.map((item, index) => props.card(item, index < PAGE_SIZE / 2))}</CardGrid>
      )}
      <TurnLinks page={page} more={items.length === PAGE_SIZE} href={href} />
    </>
  )
}
