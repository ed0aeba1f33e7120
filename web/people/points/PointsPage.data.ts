import { LedgerQuery, points } from '#contract/points.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { readQuery } from '#contract/query.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/people/points/PointsPage.tsx'

/** A page beyond the end shows the last one. */
export const loader = (async ({ url, api }) => {
  const { page: asked = 1, show = 'all' } = readQuery(LedgerQuery, url.searchParams)
  const found = await api(points.show, { show, page: asked })
  const pages = Math.max(1, Math.ceil(found.total / ROWS_PER_PAGE))
  const page = Math.min(asked, pages)
  const ledger = page === asked ? found : await api(points.show, { show, page })
  return { show, page, pages, ledger }
}) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_, { t }) => ({
  title: t('pointsTitle'),
  description: t('pointsDescription'),
  hidden: true,
})
