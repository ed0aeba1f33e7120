import { lessons } from '#contract/lessons.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { pageNumber } from '#web/items/list/page-number.ts'

export { default as Page } from '#web/lessons/YourLessonsPage.tsx'

/** A page of the lessons that the signed-in person made; a page number that is none means the first. */
export const loader = (async ({ url, api }) => {
  const page = pageNumber(url)
  return { page, items: await api(lessons.yours, { page }) }
}) satisfies Loader<unknown>

/** Hidden from search engines: the page shows each person something else. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_data, { t }) => ({
  title: t('yourLessons'),
  hidden: true,
})
