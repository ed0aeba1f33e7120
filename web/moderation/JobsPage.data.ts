import { jobs } from '#contract/jobs.ts'
import { readQuery } from '#contract/query.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { fetchDeskCounts } from '#web/moderation/desk/desk-counts.ts'

/** The state of the queue with a page of its failed jobs, and the numbers on the tabs of the desk. */
export const loader = (async ({ url, api }) => {
  const { Paged } = await import('#contract/items.schemas.ts')
  const { page = 1 } = readQuery(Paged, url.searchParams)
  const [queue, counts] = await Promise.all([api(jobs.list, { page }), fetchDeskCounts(api)])
  return { queue, page, counts }
}) satisfies Loader<unknown>

/** Hidden from search engines: only administrators enter. */
export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('deskJobs'), hidden: true })
