import { people, PeopleFilter } from '#contract/people.ts'
import { readQuery } from '#contract/query.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { fetchDeskCounts } from '#web/operate/desk/desk-counts.ts'

export { default as Page } from '#web/operate/people/PeoplePage.tsx'

export const loader = (async ({ url, api }) => {
  const query: PeopleFilter = readQuery(PeopleFilter, url.searchParams)
  const [list, counts] = await Promise.all([api(people.list, query), fetchDeskCounts(api)])
  return { query, list, counts }
}) satisfies Loader<unknown>

/** The title contains the search, so that tabs can be told apart. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ query }, { t }) => ({
  title: query.search === '' ? t('deskPeople') : `${t('deskPeople')} / ${query.search}`,
  canonical: to.people(),
  hidden: true,
})
