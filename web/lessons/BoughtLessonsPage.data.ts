import { courses } from '#contract/courses.ts'
import { lessons } from '#contract/lessons.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { boughtQuery } from '#web/items/list/bought-query.ts'

export { default as Page } from '#web/lessons/BoughtLessonsPage.tsx'

/**
 * A page of the lessons that the signed-in person bought, on the first one with their newest courses, which open others;
 * what its address does not mean counts as nothing.
 */
export const loader = (async ({ url, api }) => {
  const { page = 1, sort } = boughtQuery(url)
  const [items, courseCards] = await Promise.all([
    api(lessons.bought, { page, sort }),
    page === 1 ? api(courses.bought, { page: 1 }) : [],
  ])
  // Of the cards only what is shown travels with the page.
  const through = courseCards.map(({ id, title, lessons: ids }) => ({ id, title, lessons: ids }))
  return { page, sort, items, through }
}) satisfies Loader<unknown>

/** Hidden from search engines: the page shows each person something else. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_data, { t }) => ({
  title: t('boughtLessons'),
  hidden: true,
})
