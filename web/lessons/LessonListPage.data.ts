import { lessons } from '#contract/lessons.ts'
import { readQuery } from '#contract/query.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { askedBands } from '#web/items/list/asked-bands.ts'

/** The lessons that the filters of the address ask for; what is no filter counts as not given. */
export const loader = (async ({ url, api }) => {
  const { LessonQuery } = await import('#contract/lesson-lists.schemas.ts')
  const query = readQuery(LessonQuery, url.searchParams)
  const list = await api(lessons.browse, {
    ...query,
    ...askedBands('lesson', query),
  })
  return { query, list }
}) satisfies Loader<unknown>

/** Title and structured data of the list. A search is hidden from search engines. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (
  { query, list },
  { t },
  origin,
) => ({
  title: query.search === '' ? t('lessons') : `${t('lessons')} / ${query.search}`,
  description: t('lessonsAbout'),
  canonical: to.lessons({ ...query, page: list.page }),
  // A search is somebody's question, not a page of ours.
  hidden: query.search !== '',
  jsonLd: {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    itemListElement: list.items.map((lesson, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      url: `${origin}${to.lesson(lesson.id)}`,
      name: lesson.title,
    })),
  },
})
