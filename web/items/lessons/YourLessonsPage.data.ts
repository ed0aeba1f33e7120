import { drafts, parseDraftKey } from '#contract/drafts.ts'
import { lessons } from '#contract/lessons.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { pageNumber } from '#web/layout/paging/page-number.ts'

export { default as Page } from '#web/items/lessons/YourLessonsPage.tsx'

/** An invalid page number means the first page. */
export const loader = (async ({ url, api }) => {
  const page = pageNumber(url)
  const [items, all] = await Promise.all([api(lessons.yours, { page }), api(drafts.all, {})])
  const own = all.filter(({ key }) => parseDraftKey(key)?.kind === 'lesson')
  return { page, items, drafts: own, isDrafts: url.searchParams.get('show') === 'drafts' }
}) satisfies Loader<unknown>

/** Hidden from search engines, because everybody sees different content. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_data, { t }) => ({
  title: t('yourLessons'),
  hidden: true,
})
