import { Link } from 'react-router'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { LessonFilters } from '#web/lessons/LessonFilters.tsx'
import { LessonItem } from '#web/lessons/LessonItem.tsx'
import type { loader } from '#web/lessons/LessonListPage.data.ts'
import { PageLinks } from '#web/lessons/PageLinks.tsx'
import { choicesOf, useListCount } from '#web/lessons/list-words.ts'
import { useSlowWait } from '#web/lessons/slow-wait.ts'
import { GridBones } from '#web/ui/Bones.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { CardGrid } from '#web/ui/CardGrid.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'

/** Books above the fold of a wide screen. */
const SEEN_FIRST = 5

export default function LessonListPage() {
  const { query, list } = usePageData<typeof loader>()
  const { t } = useText()
  const count = useListCount()
  const waits = useSlowWait(to.lessons())
  const { search } = query
  const title = search === '' ? t('lessons') : `${t('lessons')} / ${search}`
  return (
    <>
      <Head
        title={title}
        as="h1"
        end={
          choicesOf(query) > 0 && (
            <ButtonLink
              as={Link}
              kind="bare"
              icon="x"
              to={to.lessons({ search, owner: query.owner })}
            >
              {t('clearFilters')}
            </ButtonLink>
          )
        }
      >
        <p className="quiet num" role="status">
          {count(list, query.sort)}
        </p>
      </Head>
      <LessonFilters query={query} list={list} />
      {list.beyond && (
        <p className="quiet" role="note">
          {t('beyondLast')}
        </p>
      )}
      {waits ? <GridBones label={t('loadingLessons')} /> : <Books />}
    </>
  )
}

function Books() {
  const { query, list } = usePageData<typeof loader>()
  const { t, formatNumber } = useText()
  if (list.items.length === 0)
    return <NothingFound search={query.search} filters={choicesOf(query)} />
  return (
    <>
      <CardGrid>
        {list.items.map((lesson, index) => (
          <LessonItem key={lesson.id} lesson={lesson} level="h2" eager={index < SEEN_FIRST} />
        ))}
      </CardGrid>
      <PageLinks
        page={list.page}
        pages={list.pages}
        href={(page) => to.lessons({ ...query, page })}
      />
      {list.more && list.page === list.pages && (
        <p className="quiet" role="note">
          {t('listEnds', { pages: formatNumber(list.pages) })}
        </p>
      )}
    </>
  )
}

function NothingFound({ search, filters }: { readonly search: string; readonly filters: number }) {
  const { t } = useText()
  if (search === '' && filters === 0) {
    return (
      <Empty
        drawing="shelf"
        title={t('noLessonsAtAll')}
        step={
          <ButtonLink as={Link} kind="main" to={to.createLesson()}>
            {t('createLesson')}
          </ButtonLink>
        }
      />
    )
  }
  return (
    <Empty
      drawing="search"
      title={search === '' ? t('noLessonsFiltered') : t('noLessonsFound', { search })}
      step={
        <ButtonLink as={Link} to={to.lessons()}>
          {t('clear')}
        </ButtonLink>
      }
    >
      {t('noLessonsTip')}
    </Empty>
  )
}
