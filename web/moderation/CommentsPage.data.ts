import { ModerationQuery, comments } from '#contract/comments.ts'
import { readQuery } from '#contract/query.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { fetchDeskCounts } from '#web/moderation/desk/desk-counts.ts'

export { default as Page } from '#web/moderation/CommentsPage.tsx'

/** The comments that the filters of the address ask for, and the numbers on the tabs of the desk. */
export const loader = (async ({ url, api }) => {
  const query: ModerationQuery = readQuery(ModerationQuery, url.searchParams)
  const [list, counts] = await Promise.all([api(comments.browse, query), fetchDeskCounts(api)])
  // The browser counts days from the moment at which the server did.
  return { query, list, counts, now: Date.now() }
}) satisfies Loader<unknown>

/**
 * The search stands in the title, so that several tabs can be distinguished. Hidden from search engines: only
 * administrators enter.
 */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ query }, { t }) => ({
  title: query.search === '' ? t('deskComments') : `${t('deskComments')} / ${query.search}`,
  canonical: to.comments(),
  hidden: true,
})
