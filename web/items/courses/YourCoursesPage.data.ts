import { courses } from '#contract/courses.ts'
import { drafts, parseDraftKey } from '#contract/drafts.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { pageNumber } from '#web/layout/paging/page-number.ts'

export { default as Page } from '#web/items/courses/YourCoursesPage.tsx'

/** An invalid page number means the first page. */
export const loader = (async ({ url, api }) => {
  const page = pageNumber(url)
  const [items, all] = await Promise.all([api(courses.yours, { page }), api(drafts.all, {})])
  const own = all.filter(({ key }) => parseDraftKey(key)?.kind === 'course')
  return { page, items, drafts: own, isDrafts: url.searchParams.get('show') === 'drafts' }
}) satisfies Loader<unknown>

/** Hidden from search engines, because everybody sees different content. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_data, { t }) => ({
  title: t('yourCourses'),
  hidden: true,
})
