import { flags } from '#contract/flags.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { fetchDeskCounts } from '#web/operate/desk/desk-counts.ts'
import { searchIn } from '#web/operate/desk/search-in.ts'
import { pageNumber } from '#web/layout/paging/page-number.ts'

export { default as Page } from '#web/operate/moderation/FlagsPage.tsx'

export const loader = (async ({ url, api }) => {
  const page = pageNumber(url)
  const closed = url.searchParams.get('show') === 'done'
  const search = searchIn(url)
  const [list, counts] = await Promise.all([
    api(flags.list, { page, closed, search }),
    fetchDeskCounts(api),
  ])
  return { closed, search, page, list, counts }
}) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('deskFlags'), hidden: true })
