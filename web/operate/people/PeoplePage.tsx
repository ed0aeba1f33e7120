import { MOST_PEOPLE, ROWS_PER_PAGE } from '#contract/limits.ts'
import type { ListedPerson, PeopleFilter } from '#contract/people.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { Time } from '#web/core/time/Time.tsx'
import { PageLinks } from '#web/layout/paging/PageLinks.tsx'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import { DeskTable } from '#web/operate/desk/DeskTable.tsx'
import { addressOf, isFiltered, PeopleFilters } from '#web/operate/people/PeopleFilters.tsx'
import type { loader } from '#web/operate/people/PeoplePage.data.ts'
import { PersonMarks } from '#web/operate/people/PersonMarks.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Face } from '#web/ui/Face.tsx'
import { RowSkeleton } from '#web/ui/Skeleton.tsx'
import deskStyles from '#web/operate/desk/Desk.module.css'

export default function PeoplePage() {
  const { query, list, counts } = usePageData<typeof loader>()
  const { t, formatNumber } = useText()
  const { people, total, more } = list
  const waits = useSlowWait(to.people())
  const pages = Math.max(1, Math.ceil(total / ROWS_PER_PAGE))
  const { page = 1 } = query
  const count = formatNumber(total)
  return (
    <DeskPage
      here="people"
      title={t('deskPeople')}
      counts={counts}
      beside={
        <p className="quiet num" role="status">
          {more ? `${count}+` : count}
        </p>
      }
    >
      <PeopleFilters query={query} inviter={list.inviter} />
      {waits && <RowSkeleton label={t('peopleLoading')} />}
      {!waits && people.length === 0 && <Nobody query={query} />}
      {!waits && people.length > 0 && (
        <>
          <PeopleTable people={people} />
          <PageLinks
            page={page}
            pages={pages}
            href={(number) => addressOf(query, { page: number })}
          />
          {more && page === pages && (
            <p className="quiet" role="note">
              {t('peopleEnd', { count: formatNumber(MOST_PEOPLE) })}
            </p>
          )}
        </>
      )}
    </DeskPage>
  )
}

function PeopleTable({ people }: { readonly people: readonly ListedPerson[] }) {
  const { t, formatNumber } = useText()
  return (
    <DeskTable
      label={t('deskPeople')}
      rows={people}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('peoplePerson'),
          kind: 'what',
          cell: (person) => (
            <span className={deskStyles.deskPerson}>
              <Face src={person.imageUrl} />
              <span>
                <Link to={to.person(person.id)} dir="auto">
                  {person.userName}
                </Link>
                <PersonMarks person={person} />
              </span>
            </span>
          ),
        },
        { name: t('emailLabel'), kind: 'email', cell: ({ email }) => email },
        {
          name: t('kbPoints'),
          kind: 'number',
          cell: ({ kbPoints }) => (
            <span className="num">
              <span className={deskStyles.columnName}>{t('kbPoints')} </span>
              {formatNumber(kbPoints)}
            </span>
          ),
        },
        {
          name: t('peopleJoined'),
          kind: 'time',
          cell: ({ joined }) => (
            <>
              <span className={deskStyles.columnName}>{t('peopleJoined')} </span>
              <Time date={joined} />
            </>
          ),
        },
        {
          name: t('peopleSeen'),
          kind: 'time',
          cell: ({ seen }) =>
            seen !== null && (
              <>
                <span className={deskStyles.columnName}>{t('peopleSeen')} </span>
                <Time date={seen} form="moment" />
              </>
            ),
        },
      ]}
    />
  )
}

function Nobody({ query }: { readonly query: PeopleFilter }) {
  const { t } = useText()
  const { search } = query
  return (
    <Empty
      drawing="search"
      title={search === '' ? t('peopleNone') : t('peopleNoneFound', { search })}
      step={
        isFiltered(query) && (
          <ButtonLink as={Link} to={to.people()}>
            {t('clearFilters')}
          </ButtonLink>
        )
      }
    />
  )
}
