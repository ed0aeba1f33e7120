import { jobs } from '#contract/jobs.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { fetchDeskCounts } from '#web/moderation/desk/desk-counts.ts'
import { pageNumber } from '#web/items/list/page-number.ts'

export { default as Page } from '#web/moderation/JobsPage.tsx'

export const loader = (async ({ url, api }) => {
  const page = pageNumber(url)
  const [queue, counts] = await Promise.all([api(jobs.list, { page }), fetchDeskCounts(api)])
  return { queue, page, counts }
}) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('deskJobs'), hidden: true })
