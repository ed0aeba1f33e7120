import { ModerationQuery, comments } from '#contract/comments.ts'
import { readQuery } from '#contract/query.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { fetchDeskCounts } from '#web/operate/desk/desk-counts.ts'

export { default as Page } from '#web/operate/moderation/CommentsPage.tsx'

export const loader = (async ({ url, api }) => {
  const query: ModerationQuery = readQuery(ModerationQuery, url.searchParams)
  const [list, counts] = await Promise.all([api(comments.browse, query), fetchDeskCounts(api)])
  // Days are counted from the server's time.
  return { query, list, counts, now: Date.now() }
}) satisfies Loader<unknown>

/** The title contains the search, so that tabs can be told apart. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ query }, { t }) => ({
  title: query.search === '' ? t('deskComments') : `${t('deskComments')} / ${query.search}`,
  canonical: to.comments(),
  hidden: true,
})
