import { certificates as calls } from '#contract/certificates.ts'
import { Paged } from '#contract/items.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { readQuery } from '#contract/query.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/items/certificates/YourCertificatesPage.tsx'

/** A page beyond the end shows the last one. */
export const loader = (async ({ url, api }) => {
  const { page: asked = 1 } = readQuery(Paged, url.searchParams)
  const found = await api(calls.yours, { page: asked })
  const pages = Math.max(1, Math.ceil(found.total / ROWS_PER_PAGE))
  const page = Math.min(asked, pages)
  const { certificates, total } = page === asked ? found : await api(calls.yours, { page })
  return { certificates, total, page, pages }
}) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_data, { t }) => ({
  title: t('certificatesYours'),
  hidden: true,
})
