import { courses } from '#contract/courses.ts'
import { readQuery } from '#contract/query.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

/** A page of the courses that the signed-in person made; a page number that is none means the first. */
export const loader = (async ({ url, api }) => {
  const { Paged } = await import('#contract/items.schemas.ts')
  const { page = 1 } = readQuery(Paged, url.searchParams)
  return { page, items: await api(courses.yours, { page }) }
}) satisfies Loader<unknown>

/** Hidden from search engines: the page shows each person something else. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_data, { t }) => ({
  title: t('yourCourses'),
  hidden: true,
})
