import { moderation } from '#contract/moderation.ts'
import { people } from '#contract/people.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { pageNumber } from '#web/layout/paging/page-number.ts'
import { fetchDeskCounts } from '#web/operate/desk/desk-counts.ts'

export { default as Page } from '#web/operate/people/PersonPage.tsx'

/** `page` is that of the ledger. */
export const loader = (async ({ url, params, api }) => {
  const { id = '' } = params
  const page = pageNumber(url)
  const [person, ledger, log, counts] = await Promise.all([
    api(people.show, { id }),
    api(people.points, { id, page }),
    api(moderation.log, { person: id }),
    fetchDeskCounts(api),
  ])
  const pages = Math.max(1, Math.ceil(ledger.total / ROWS_PER_PAGE))
  // Time limits for an undo are counted from the server's time.
  return { person, ledger, page, pages, log, counts, now: Date.now() }
}) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ person }, { t }) => ({
  title: `${person.userName} / ${t('deskPeople')}`,
  hidden: true,
})
