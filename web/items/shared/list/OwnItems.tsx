import type { ReactNode } from 'react'
import type { BoughtSort } from '#contract/items.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import type { BoughtQuery } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { TurnLinks } from '#web/layout/paging/PageLinks.tsx'
import { GridSkeleton } from '#web/ui/Skeleton.tsx'
import { CardGrid } from '#web/ui/books/CardGrid.tsx'
import { TurningBook } from '#web/ui/books/TurningBook.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'
import { Segment } from '#web/ui/Segment.tsx'

interface ListProps<Item> {
  readonly title: string
  readonly page: number
  readonly items: readonly Item[]
  /** Renders an item; `eager` is true for those above the fold. */
  readonly card: (item: Item, eager: boolean) => ReactNode
  /** The main action, and the only one while the list is empty. */
  readonly step: { readonly label: string; readonly href: string }
  readonly none: string
}

interface MadeItemsProps<Item> extends ListProps<Item> {
  /** Links to the published items and to the drafts. */
  readonly tabs: ReactNode
  /** Renders the drafts, with the step for an empty list, where they are shown instead. */
  readonly drafts: ((create: ReactNode) => ReactNode) | null
  readonly href: (page?: number) => string
  readonly loading: string
  /** What the first item earns, shown below `none`. */
  readonly encouragement: string
}

export function MadeItems<Item>(props: MadeItemsProps<Item>) {
  const { tabs, drafts, step, none, loading, encouragement, href, ...list } = props
  const create = (
    <ButtonLink as={Link} kind="main" icon="plus" to={step.href}>
      {step.label}
    </ButtonLink>
  )
  if (drafts !== null)
    return (
      <>
        <Head title={list.title} as="h1" />
        {tabs}
        {drafts(create)}
      </>
    )
  return (
    <OwnItems
      {...list}
      path={href()}
      href={href}
      end={create}
      tabs={tabs}
      waiting={<GridSkeleton label={loading} />}
      empty={
        <Empty drawing="shelf" title={none} step={create}>
          {encouragement}
        </Empty>
      }
    />
  )
}

interface BoughtItemsProps<Item> extends ListProps<Item> {
  readonly sort: BoughtSort
  readonly href: (query?: BoughtQuery) => string
  /** Renders the newest purchase, which stands first on the first page when sorted by purchase. */
  readonly newest: (item: Item) => ReactNode
}

export function BoughtItems<Item>(props: BoughtItemsProps<Item>) {
  const { step, none, sort, href, newest, ...list } = props
  const { t } = useText()
  const isLong = list.items.length > 1 || list.page > 1
  return (
    <OwnItems
      {...list}
      path={href()}
      href={(page) => href({ sort, page })}
      newest={sort === undefined ? newest : undefined}
      end={
        isLong ? (
          <Segment label={t('sortBy')}>
            {([undefined, 'opened'] as const).map((choice) => (
              <Chip
                key={choice ?? 'bought'}
                as={Link}
                to={href({ sort: choice })}
                current={sort === choice}
                preventScrollReset
              >
                {t(choice === undefined ? 'sortUnlocked' : 'sortOpened')}
              </Chip>
            ))}
          </Segment>
        ) : undefined
      }
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
  readonly path: string
  readonly href: (page: number) => string
  readonly end?: ReactNode
  readonly tabs?: ReactNode
  readonly newest?: ((item: Item) => ReactNode) | undefined
  /** Shown while another page loads slowly. */
  readonly waiting: ReactNode
  readonly empty: ReactNode
}

function OwnItems<Item>(props: OwnItemsProps<Item>) {
  const { title, page, items, path, href, end, waiting } = props
  const waits = useSlowWait(path)
  const isEmpty = items.length === 0
  const [first] = items
  const newest = page === 1 && first !== undefined ? props.newest?.(first) : undefined
  const others = newest === undefined ? items : items.slice(1)
  return (
    <>
      <Head title={title} as="h1" end={isEmpty ? undefined : end} />
      {props.tabs}
      {waits && waiting}
      {!waits && isEmpty && props.empty}
      {!waits && newest}
      {!waits && others.length > 0 && (
        <CardGrid>{others.map((item, index) => props.card(item, index < PAGE_SIZE / 2))}</CardGrid>
      )}
      <TurnLinks page={page} more={items.length === PAGE_SIZE} href={href} />
    </>
  )
}
