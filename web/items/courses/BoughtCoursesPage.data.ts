import { courses } from '#contract/courses.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { boughtQuery } from '#web/items/shared/list/bought-query.ts'

export { default as Page } from '#web/items/courses/BoughtCoursesPage.tsx'

/** Invalid parts of the address are ignored. */
export const loader = (async ({ url, api }) => {
  const { page = 1, sort } = boughtQuery(url)
  return { page, sort, items: await api(courses.bought, { page, sort }) }
}) satisfies Loader<unknown>

/** Hidden from search engines, because everybody sees different content. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_data, { t }) => ({
  title: t('boughtCourses'),
  hidden: true,
})
