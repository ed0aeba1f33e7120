import { LessonQuery, lessons } from '#contract/lessons.ts'
import { readQuery } from '#contract/query.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { askedBands } from '#web/items/shared/list/asked-bands.ts'
import { loadSearchExtras } from '#web/items/shared/list/besides.ts'
import { listHead } from '#web/items/shared/list/list-head.ts'

export { default as Page } from '#web/items/lessons/LessonListPage.tsx'

/** Invalid filters in the address are ignored. */
export const loader = (async ({ url, api }) => {
  const query = readQuery(LessonQuery, url.searchParams)
  const browsing = api(lessons.browse, { ...query, ...askedBands('lesson', query) })
  const [list, extras] = await Promise.all([
    browsing,
    loadSearchExtras(api, 'lesson', query, browsing),
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
      title: 'lessons',
      about: 'lessonsAbout',
      search: query.search,
      canonical: to.lessons({ ...query, page: list.page }),
      feed: to.feedOfLessons(texts.locale),
      items: list.items.map((lesson) => ({
        url: `${site}${to.lesson(lesson.id)}`,
        name: lesson.title,
      })),
    },
    texts,
  )
