import { SearchQuery, search } from '#contract/search.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { readQuery } from '#contract/query.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { waysOn } from '#web/items/list/besides.ts'

export { default as Page } from '#web/search/SearchPage.tsx'

/** What is found by the words of the address, and what else there is where nothing is. Without words: all lessons. */
export const loader = (async ({ url, api, person }) => {
  const query = readQuery(SearchQuery, url.searchParams)
  if (query.q.trim() === '') throw leave(to.lessons())
  const found = await api(search.find, query)
  const { lessons, courses: ofCourses, tags, people } = found.totals
  const isEmpty = lessons + ofCourses + tags + people === 0
  return {
    query,
    found,
    pages: Math.max(1, Math.ceil(Math.max(lessons, ofCourses) / PAGE_SIZE)),
    isGuest: person === null,
    ways: isEmpty ? await waysOn(api, found.spellings) : null,
  }
}) satisfies Loader<unknown>

/** A search is somebody's question, not a page of ours. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ query }, { t }) => ({
  title: t('searchTitle', { q: query.q }),
  hidden: true,
})
