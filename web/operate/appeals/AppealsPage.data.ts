import { appeals } from '#contract/appeals.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { fetchDeskCounts } from '#web/operate/desk/desk-counts.ts'
import { pageNumber } from '#web/layout/paging/page-number.ts'

export { default as Page } from '#web/operate/appeals/AppealsPage.tsx'

export const loader = (async ({ url, api }) => {
  const page = pageNumber(url)
  const decided = url.searchParams.get('show') === 'done'
  const [list, counts] = await Promise.all([
    api(appeals.all, { page, decided }),
    fetchDeskCounts(api),
  ])
  return { decided, page, list, counts }
}) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('deskAppeals'), hidden: true })
