import { figures, FiguresQuery } from '#contract/figures.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { readQuery } from '#contract/query.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/items/figures/AuthorPage.tsx'

/** A page beyond the end shows the last one. */
export const loader = (async ({ url, api }) => {
  const { days, page: asked = 1 } = readQuery(FiguresQuery, url.searchParams)
  const found = await api(figures.show, { days, page: asked })
  const pages = Math.max(1, Math.ceil(found.count / ROWS_PER_PAGE))
  const shown = asked <= pages ? found : await api(figures.show, { days, page: pages })
  return { ...shown, pages }
}) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('navStatistics'), hidden: true })
