import { LAST_PAGE, PAGE_SIZE } from '#contract/limits.ts'
import { search } from '#contract/search.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'

export { default as Page } from '#web/items/search/TagPage.tsx'

/** An invalid page, or one beyond the last, counts as the first. */
export const loader = (async ({ url, api }) => {
  const tag = tagOf(url)
  const asked = pageOf(url)
  const found = await api(search.tagged, { tag, page: asked })
  const pages = Math.max(1, Math.ceil(Math.max(...Object.values(found.totals)) / PAGE_SIZE))
  if (asked <= pages) return { tag, page: asked, pages, ...found }
  return { tag, page: 1, pages, ...(await api(search.tagged, { tag, page: 1 })) }
}) satisfies Loader<unknown>

/** Decodes the tag from the path, because the router treats a doubly encoded slash as a slash. */
function tagOf({ pathname }: URL): string {
  const written = pathname.slice('/tag/'.length).replace(/\/$/, '')
  try {
    return decodeURIComponent(written).toLowerCase()
  } catch {
    return written
  }
}

function pageOf({ searchParams }: URL): number {
  const page = Number(searchParams.get('page') ?? 1)
  return Number.isInteger(page) && page > 0 && page <= LAST_PAGE ? page : 1
}

/** An unused tag is not indexed, because anybody can make up its URL. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (
  { tag, page, lessons, totals },
  { t, locale },
  { site },
) => ({
  title: tag,
  description: t('tagAbout', { tag }),
  canonical: to.tag(tag, page),
  feed: to.feedOfTag(tag, locale),
  hidden: totals.lessons === 0,
  jsonLd: {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    itemListElement: lessons.map((lesson, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      url: `${site}${to.lesson(lesson.id)}`,
      name: lesson.title,
    })),
  },
})
