import { moderation } from '#contract/moderation.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { fetchDeskCounts } from '#web/moderation/desk/desk-counts.ts'
import { pageNumber } from '#web/items/list/page-number.ts'

export { default as Page } from '#web/moderation/LogPage.tsx'

/** A page of the moderation log, the server's time, and the numbers on the tabs of the desk. */
export const loader = (async ({ url, api }) => {
  const page = pageNumber(url)
  const [entries, counts] = await Promise.all([api(moderation.log, { page }), fetchDeskCounts(api)])
  // What can still be undone is counted from the moment at which the server did.
  return { entries, page, counts, now: Date.now() }
}) satisfies Loader<unknown>

/** Hidden from search engines: only administrators enter. */
export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('deskLog'), hidden: true })
