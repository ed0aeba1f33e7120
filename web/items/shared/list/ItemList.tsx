import type { ReactNode } from 'react'
import type { ItemKind } from '#contract/points.ts'
import type { Locale } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { type ListQuery, to } from '#web/core/paths.ts'
import { type BandChips, ListFilters } from '#web/items/shared/list/ListFilters.tsx'
import type { LessonHit } from '#contract/search.ts'
import type { SearchExtras } from '#web/items/shared/list/besides.ts'
import { FoundElsewhere } from '#web/items/shared/list/FoundElsewhere.tsx'
import {
  choicesOf,
  type Chosen,
  type Listed,
  type ListWords,
  useListCount,
} from '#web/items/shared/list/list-words.ts'
import { NothingFound } from '#web/items/shared/nothing/NothingFound.tsx'
import { FeedLink } from '#web/items/shared/list/FeedLink.tsx'
import { PageLinks } from '#web/layout/paging/PageLinks.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { GridSkeleton } from '#web/ui/Skeleton.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { CardGrid } from '#web/ui/books/CardGrid.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Empty.module.css'

/** Number of books above the fold of a wide screen. */
const SEEN_FIRST = 5

interface ItemListProps<Item> extends SearchExtras {
  readonly words: ListWords
  readonly query: Chosen
  readonly list: Listed & { readonly items: readonly Item[] }
  readonly kind: ItemKind
  readonly bands: readonly BandChips[]
  readonly href: (query?: ListQuery) => string
  readonly feed: (lang: Locale) => string
  readonly create: string
  /** Renders an item; `eager` is true for those above the fold. */
  readonly card: (item: Item, eager: boolean) => ReactNode
  readonly lessonCard: (lesson: LessonHit) => ReactNode
}

export function ItemList<Item>(props: ItemListProps<Item>) {
  const { words, query, list, otherMatches, suggestions, kind, bands, href, feed, create } = props
  const { t, formatNumber, locale } = useText()
  const count = useListCount(words)
  const waits = useSlowWait(href())
  const { search } = query
  const show = list.more
    ? t(words.showMany, { total: `${formatNumber(list.total)}+` })
    : t(words.show, { total: list.total })
  return (
    <>
      <Head
        title={search === '' ? t(words.title) : `${t(words.title)} / ${search}`}
        as="h1"
        end={
          choicesOf(query) > 0 ? (
            <ButtonLink as={Link} kind="bare" icon="x" to={href({ search, owner: query.owner })}>
              {t('clearFilters')}
            </ButtonLink>
          ) : (
            search === '' && <FeedLink href={feed(locale)} />
          )
        }
      >
        <p className="quiet num" role="status">
          {count(list, query.sort)}
        </p>
      </Head>
      <ListFilters query={query} kind={kind} bands={bands} href={href} show={show} />
      {list.beyond && (
        <p className="quiet" role="note">
          {t('beyondLast')}
        </p>
      )}
      {waits && <GridSkeleton label={t(words.loading)} />}
      {!waits && list.items.length === 0 && otherMatches === null && (
        <NothingHere
          words={words}
          query={query}
          suggestions={suggestions}
          all={href()}
          create={create}
        />
      )}
      {!waits && list.items.length > 0 && (
        <>
          <CardGrid>
            {list.items.map((item, index) => props.card(item, index < SEEN_FIRST))}
          </CardGrid>
          <PageLinks
            page={list.page}
            pages={list.pages}
            href={(page) => href({ ...query, page })}
          />
          {list.more && list.page === list.pages && (
            <p className="quiet" role="note">
              {t('listEnds', { pages: formatNumber(list.pages) })}
            </p>
          )}
        </>
      )}
      {!waits && otherMatches !== null && (
        <FoundElsewhere
          found={otherMatches}
          q={search}
          nothing={list.items.length === 0 ? t(words.noneFound, { search }) : undefined}
          lessonCard={props.lessonCard}
        />
      )}
    </>
  )
}

interface NothingHereProps extends Pick<
  ItemListProps<never>,
  'words' | 'query' | 'suggestions' | 'create'
> {
  readonly all: string
}

function NothingHere({ words, query, suggestions, all, create }: NothingHereProps) {
  const { t } = useText()
  const { search } = query
  const isNarrowed = choicesOf(query) > 0 || query.owner !== undefined
  if (search === '' && !isNarrowed) {
    return (
      <Empty
        drawing="shelf"
        title={t(words.noneAtAll)}
        step={
          <ButtonLink as={Link} kind="main" to={create}>
            {t(words.create)}
          </ButtonLink>
        }
      />
    )
  }
  const clear = (
    <ButtonLink as={Link} to={all}>
      {t('clear')}
    </ButtonLink>
  )
  if (suggestions === null) {
    return (
      <Empty drawing="search" title={t(words.noneFiltered)} step={clear}>
        {t('noLessonsTip')}
      </Empty>
    )
  }
  return (
    <NothingFound
      title={t(words.noneFound, { search })}
      tip={t(isNarrowed ? 'noLessonsTip' : 'searchNothingTip')}
      step={
        <p className={classes('row', styles.waysOn)}>
          <ButtonLink as={Link} kind="main" to={to.search({ q: search })}>
            {t('searchEverywhere')}
          </ButtonLink>
          {clear}
        </p>
      }
      suggestions={suggestions}
    />
  )
}
