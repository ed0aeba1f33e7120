import { videoChecks } from '#contract/video-checks.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { pageNumber } from '#web/layout/paging/page-number.ts'
import { fetchDeskCounts } from '#web/operate/desk/desk-counts.ts'

export { default as Page } from '#web/operate/videos/VideosPage.tsx'

export const loader = (async ({ url, api }) => {
  const page = pageNumber(url)
  const [list, counts] = await Promise.all([api(videoChecks.list, { page }), fetchDeskCounts(api)])
  return { ...list, page, counts }
}) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('deskVideos'), hidden: true })
