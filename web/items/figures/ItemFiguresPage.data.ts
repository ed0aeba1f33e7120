import { data } from 'react-router'
import { figures, ItemFiguresQuery } from '#contract/figures.ts'
import { ItemKind } from '#contract/points.ts'
import { readQuery } from '#contract/query.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/items/figures/ItemFiguresPage.tsx'

export const loader = (async ({ url, params, api }) => {
  const { days } = readQuery(ItemFiguresQuery, url.searchParams)
  const kind = ItemKind.safeParse(params['kind'])
  if (!kind.success) throw data({}, { status: 404 })
  return api(figures.item, { kind: kind.data, id: params['id'] ?? '', days })
}) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ title }, { t }) => ({
  title: `${title} / ${t('navStatistics')}`,
  hidden: true,
})
