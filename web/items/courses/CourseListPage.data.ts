import { CourseQuery, courses } from '#contract/courses.ts'
import { readQuery } from '#contract/query.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { askedBands } from '#web/items/shared/list/asked-bands.ts'
import { loadSearchExtras } from '#web/items/shared/list/besides.ts'
import { listHead } from '#web/items/shared/list/list-head.ts'

export { default as Page } from '#web/items/courses/CourseListPage.tsx'

/** Invalid filters in the address are ignored. */
export const loader = (async ({ url, api }) => {
  const query = readQuery(CourseQuery, url.searchParams)
  const browsing = api(courses.browse, { ...query, ...askedBands('course', query) })
  const [list, extras] = await Promise.all([
    browsing,
    loadSearchExtras(api, 'course', query, browsing),
  ])
  return { query, list, ...extras }
}) satisfies Loader<unknown>

/** Searches are hidden from search engines. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (
  { query, list },
  texts,
  { site },
) =>
  listHead(
    {
      title: 'courses',
      about: 'coursesAbout',
      search: query.search,
      canonical: to.courses({ ...query, page: list.page }),
      feed: to.feedOfCourses(texts.locale),
      items: list.items.map((course) => ({
        url: `${site}${to.course(course.id, course.lessons[0])}`,
        name: course.title,
      })),
    },
    texts,
  )
