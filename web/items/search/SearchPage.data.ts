import { SearchQuery, search } from '#contract/search.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { readQuery } from '#contract/query.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { loadSuggestions } from '#web/items/shared/list/besides.ts'

export { default as Page } from '#web/items/search/SearchPage.tsx'

/** If nothing is found, it loads other suggestions. Without a search term, it redirects to all lessons. */
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
    suggestions: isEmpty ? await loadSuggestions(api, found.spellings) : null,
  }
}) satisfies Loader<unknown>

/** Search results must not be indexed. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ query }, { t }) => ({
  title: t('searchTitle', { q: query.q }),
  hidden: true,
})
