import { jobs } from '#contract/jobs.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { fetchDeskCounts } from '#web/operate/desk/desk-counts.ts'
import { pageNumber } from '#web/layout/paging/page-number.ts'

export { default as Page } from '#web/operate/failures/JobsPage.tsx'

export const loader = (async ({ url, api }) => {
  const page = pageNumber(url)
  const [queue, counts] = await Promise.all([api(jobs.list, { page }), fetchDeskCounts(api)])
  return { queue, page, counts }
}) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('deskJobs'), hidden: true })
