import type { ReactNode } from 'react'
import type { SearchAnswer } from '#contract/search.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to, type FindQuery } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { CourseItem } from '#web/items/shared/list/CourseItem.tsx'
import { NothingFound } from '#web/items/shared/nothing/NothingFound.tsx'
import { PageLinks } from '#web/layout/paging/PageLinks.tsx'
import { CloseMatches } from '#web/items/shared/nothing/CloseMatches.tsx'
import { LanguageChips } from '#web/items/shared/LanguageChips.tsx'
import { TagLink } from '#web/items/shared/TagLink.tsx'
import { LessonItem } from '#web/items/lessons/LessonItem.tsx'
import type { loader } from '#web/items/search/SearchPage.data.ts'
import { SearchField } from '#web/items/search/SearchField.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { CardGrid } from '#web/ui/books/CardGrid.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Face } from '#web/ui/Face.tsx'
import { Head } from '#web/ui/Head.tsx'
import { Segment } from '#web/ui/Segment.tsx'
import { GridSkeleton } from '#web/ui/Skeleton.tsx'
import tagsStyles from '#web/items/shared/Tags.module.css'
import styles from './Search.module.css'
import tagStyles from '#web/items/shared/Tag.module.css'

/** Pictures above the fold on a wide screen. */
const SEEN_FIRST = 5

/** Tags and people come first, because there are few of them. */
export default function SearchPage() {
  const { query, found, pages, suggestions } = usePageData<typeof loader>()
  const { t } = useText()
  const waits = useSlowWait('/search')
  const page = query.page ?? 1
  return (
    <>
      <Head title={t('searchTitle', { q: query.q })} as="h1">
        {found.spellings.length === 0 && (
          <p className="quiet num" role="status">
            {suggestions === null ? (
              <Totals totals={found.totals} />
            ) : (
              t('lessonCount', { total: 0 })
            )}
          </p>
        )}
      </Head>
      <SearchField query={query} />
      <Filters query={query} totals={found.totals} />
      {suggestions === null && <CloseMatches q={query.q} spellings={found.spellings} />}
      {waits && <GridSkeleton label={t('searchUnderWay')} />}
      {!waits && suggestions !== null && (
        <NothingFound
          title={t('searchNothing', { q: query.q })}
          tip={t('searchNothingTip')}
          step={
            <ButtonLink as={Link} to={to.lessons()}>
              {t('browseLessons')}
            </ButtonLink>
          }
          suggestions={suggestions}
        />
      )}
      {!waits && page === 1 && <Tags tags={found.tags} />}
      {!waits && page === 1 && <People people={found.people ?? []} />}
      {!waits && (
        <>
          <Hits title={t('lessons')} id="found-lessons">
            {found.lessons.map((lesson, place) => (
              <LessonItem
                key={lesson.id}
                lesson={lesson}
                level="h3"
                eager={place < SEEN_FIRST}
                found={lesson}
              />
            ))}
          </Hits>
          <Hits title={t('courses')} id="found-courses">
            {found.courses.map((course) => (
              <CourseItem key={course.id} course={course} level="h3" found={course} />
            ))}
          </Hits>
          <PageLinks
            page={page}
            pages={pages}
            href={(other) => to.search({ ...query, page: other })}
          />
        </>
      )}
    </>
  )
}

function Totals({ totals }: Pick<SearchAnswer, 'totals'>) {
  const { t } = useText()
  const parts = [
    (totals.lessons > 0 || totals.courses === 0) && t('lessonCount', { total: totals.lessons }),
    totals.courses > 0 && t('courseCount', { total: totals.courses }),
    totals.people > 0 && t('peopleCount', { total: totals.people }),
  ].filter((part) => part !== false)
  return <>{`${parts.join(', ')}, ${t('searchSorted')}`}</>
}

interface FiltersProps extends Pick<SearchAnswer, 'totals'> {
  readonly query: FindQuery
}

function Filters({ query, totals }: FiltersProps) {
  const { t, formatNumber } = useText()
  const kinds = [
    [undefined, 'searchAll', undefined],
    ['lesson', 'lessons', totals.lessons],
    ['course', 'courses', totals.courses],
  ] as const
  const { kind, tag, free, language } = query
  const narrowed = (other: Partial<FindQuery>) => to.search({ ...query, page: 1, ...other })
  return (
    <div className={styles.foundFilters}>
      <Segment label={t('searchIn')}>
        {kinds.map(([name, words, count]) => (
          <Chip
            key={name ?? 'all'}
            as={Link}
            to={narrowed({ kind: name })}
            current={kind === name}
            count={kind === undefined && count !== undefined ? formatNumber(count) : undefined}
            preventScrollReset
          >
            {t(words)}
          </Chip>
        ))}
      </Segment>
      <Segment label={t('freeFilter')}>
        {([undefined, '1'] as const).map((chosen) => (
          <Chip
            key={chosen ?? 'any'}
            as={Link}
            to={narrowed({ free: chosen })}
            current={free === chosen}
            preventScrollReset
          >
            {t(chosen === undefined ? 'freeAny' : 'freePreview')}
          </Chip>
        ))}
      </Segment>
      <LanguageChips chosen={language} href={(other) => narrowed({ language: other })} />
      {tag !== undefined && (
        <Segment label={t('tags')}>
          <Chip as={Link} to={narrowed({ tag: undefined })} current preventScrollReset>
            {`${tag} ×`}
            <span className="sr">{t('clear')}</span>
          </Chip>
        </Segment>
      )}
    </div>
  )
}

function Tags({ tags }: Pick<SearchAnswer, 'tags'>) {
  const { t, formatNumber } = useText()
  if (tags.length === 0) return null
  return (
    <section className={tagsStyles.found} aria-labelledby="found-tags">
      <Head title={t('tags')} id="found-tags" />
      <ul className={tagsStyles.tags}>
        {tags.map(({ tag, items }) => (
          <li key={tag}>
            <TagLink tag={tag} className={tagStyles.tag} />{' '}
            <small className="quiet num">{formatNumber(items)}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}

function People({ people }: { readonly people: NonNullable<SearchAnswer['people']> }) {
  const { t } = useText()
  if (people.length === 0) return null
  return (
    <section className={tagsStyles.found} aria-labelledby="found-people">
      <Head title={t('searchPeople')} id="found-people" />
      <ul className={styles.foundPeople}>
        {people.map(({ id, userName, imageUrl }) => (
          <li key={id}>
            <Link to={to.by(userName)}>
              <Face src={imageUrl} />
              {userName}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface HitsProps {
  readonly title: string
  readonly id: string
  readonly children: readonly ReactNode[]
}

function Hits({ title, id, children }: HitsProps) {
  if (children.length === 0) return null
  return (
    <section className={tagsStyles.found} aria-labelledby={id}>
      <Head title={title} id={id} />
      <CardGrid>{children}</CardGrid>
    </section>
  )
}
