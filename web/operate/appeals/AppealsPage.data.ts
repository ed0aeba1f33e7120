import { appeals } from '#contract/appeals.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { fetchDeskCounts } from '#web/operate/desk/desk-counts.ts'
import { searchIn } from '#web/operate/desk/search-in.ts'
import { pageNumber } from '#web/layout/paging/page-number.ts'

export { default as Page } from '#web/operate/appeals/AppealsPage.tsx'

export const loader = (async ({ url, api }) => {
  const page = pageNumber(url)
  const decided = url.searchParams.get('show') === 'done'
  const search = searchIn(url)
  const [list, counts] = await Promise.all([
    api(appeals.all, { page, decided, search }),
    fetchDeskCounts(api),
  ])
  return { decided, search, page, list, counts }
}) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('deskAppeals'), hidden: true })
