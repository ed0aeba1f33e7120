import { Paged } from '#contract/items.ts'
import { follows } from '#contract/follows.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { readQuery } from '#contract/query.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/items/follows/FollowedPage.tsx'

/** A page beyond the end shows the last one. */
export const loader = (async ({ url, api }) => {
  const { page: asked = 1 } = readQuery(Paged, url.searchParams)
  const found = await api(follows.all, { page: asked })
  const pages = Math.max(1, Math.ceil(found.total / ROWS_PER_PAGE))
  const page = Math.min(asked, pages)
  const { people, total } = page === asked ? found : await api(follows.all, { page })
  return { page, pages, total, people }
}) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_data, { t }) => ({
  title: t('followedTitle'),
  hidden: true,
})
