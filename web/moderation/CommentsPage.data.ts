import { comments, type ModerationQuery } from '#contract/comments.ts'
import { EXACT_TOTAL, LAST_PAGE, ROWS_PER_PAGE } from '#contract/limits.ts'
import { readQuery } from '#contract/query.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { fetchDeskCounts } from '#web/moderation/desk-counts.ts'

/** A page beyond the end is the last one. */
export const loader = (async ({ url, api }) => {
  const { ModerationQuery: Query } = await import('#contract/comments.ts')
  const query: ModerationQuery = readQuery(Query, url.searchParams)
  const asked = Math.min(query.page ?? 1, LAST_PAGE)
  const fetchPage = async (page: number) => {
    const found = await api(comments.browse, { ...query, page })
    return { found, page, pages: countPages(found, page) }
  }
  const [first, counts] = await Promise.all([fetchPage(asked), fetchDeskCounts(api)])
  const isBeyond = first.found.comments.length === 0 && asked > first.pages
  const { found, page, pages } = isBeyond ? await fetchPage(first.pages) : first
  // The browser counts days from the moment at which the server did.
  return { query, list: found, page, pages, counts, now: Date.now() }
}) satisfies Loader<unknown>

/** Above the exact total nobody knows where the list ends: as long as pages are full there may be another. */
function countPages(
  found: { readonly comments: readonly unknown[]; readonly total: number; readonly more: boolean },
  page: number,
): number {
  const known = Math.max(1, Math.ceil(found.total / ROWS_PER_PAGE))
  if (!found.more) return Math.min(known, LAST_PAGE)
  const mayGoOn = found.comments.length === ROWS_PER_PAGE
  const seen = found.comments.length === 0 ? 1 : page
  return Math.min(Math.max(EXACT_TOTAL / ROWS_PER_PAGE, mayGoOn ? page + 1 : seen), LAST_PAGE)
}

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ query }, { t }) => ({
  title: query.search === '' ? t('deskComments') : `${t('deskComments')} / ${query.search}`,
  canonical: to.comments(),
  hidden: true,
})
