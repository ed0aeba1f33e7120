import { moderation } from '#contract/moderation.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { fetchDeskCounts } from '#web/operate/desk/desk-counts.ts'
import { pageNumber } from '#web/layout/paging/page-number.ts'

export { default as Page } from '#web/operate/moderation/LogPage.tsx'

export const loader = (async ({ url, api }) => {
  const page = pageNumber(url)
  const [entries, counts] = await Promise.all([api(moderation.log, { page }), fetchDeskCounts(api)])
  // Time limits for an undo are counted from the server's time.
  return { entries, page, counts, now: Date.now() }
}) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('deskLog'), hidden: true })
