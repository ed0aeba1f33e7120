import { NoticesQuery, notices } from '#contract/notices.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { readQuery } from '#contract/query.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/community/notices/NoticesPage.tsx'

/** A page beyond the end shows the last one. */
export const loader = (async ({ url, api }) => {
  const { page: asked = 1 } = readQuery(NoticesQuery, url.searchParams)
  const found = await api(notices.all, { page: asked })
  const pages = Math.max(1, Math.ceil(found.total / ROWS_PER_PAGE))
  const page = Math.min(asked, pages)
  return { page, pages, ...(page === asked ? found : await api(notices.all, { page })) }
}) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_data, { t }) => ({ title: t('noticesTitle'), hidden: true })
