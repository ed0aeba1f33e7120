import { courses } from '#contract/courses.ts'
import { lessons } from '#contract/lessons.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { boughtQuery } from '#web/items/shared/list/bought-query.ts'

export { default as Page } from '#web/items/lessons/BoughtLessonsPage.tsx'

/** The first page also shows the newest bought courses, which unlock more lessons. */
export const loader = (async ({ url, api }) => {
  const { page = 1, sort } = boughtQuery(url)
  const [items, courseCards] = await Promise.all([
    api(lessons.bought, { page, sort }),
    page === 1 ? api(courses.bought, { page: 1 }) : [],
  ])
  // The page embeds its data, so only the displayed fields of the courses are sent.
  const through = courseCards.map(({ id, title, lessons: ids }) => ({ id, title, lessons: ids }))
  return { page, sort, items, through }
}) satisfies Loader<unknown>

/** Hidden from search engines, because everybody sees different content. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_data, { t }) => ({
  title: t('boughtLessons'),
  hidden: true,
})
