import { courses } from '#contract/courses.ts'
import { readQuery } from '#contract/query.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { askedBands } from '#web/items/list/asked-bands.ts'

/** The courses that the filters of the address ask for; what is no filter counts as not given. */
export const loader = (async ({ url, api }) => {
  const { CourseQuery } = await import('#contract/course-lists.schemas.ts')
  const query = readQuery(CourseQuery, url.searchParams)
  const list = await api(courses.browse, {
    ...query,
    ...askedBands('course', query),
  })
  return { query, list }
}) satisfies Loader<unknown>

/** Title and structured data of the list. A search is hidden from search engines. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (
  { query, list },
  { t },
  origin,
) => ({
  title: query.search === '' ? t('courses') : `${t('courses')} / ${query.search}`,
  description: t('coursesAbout'),
  canonical: to.courses({ ...query, page: list.page }),
  // A search is somebody's question, not a page of ours.
  hidden: query.search !== '',
  jsonLd: {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    itemListElement: list.items.map((course, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      url: `${origin}${to.course(course.id, course.lessons[0])}`,
      name: course.title,
    })),
  },
})
