import { RatingsQuery, ratings } from '#contract/ratings.ts'
import { readQuery } from '#contract/query.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { fetchDeskCounts } from '#web/operate/desk/desk-counts.ts'

export { default as Page } from '#web/operate/moderation/ratings/RatingsPage.tsx'

export const loader = (async ({ url, api }) => {
  const query: RatingsQuery = readQuery(RatingsQuery, url.searchParams)
  const [list, counts] = await Promise.all([api(ratings.browse, query), fetchDeskCounts(api)])
  // Days are counted from the server's time.
  return { query, list, counts, now: Date.now() }
}) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_, { t }) => ({
  title: t('ratings'),
  canonical: to.ratings(),
  hidden: true,
})
