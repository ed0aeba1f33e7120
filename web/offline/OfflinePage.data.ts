import type { HeadOf } from '#web/core/page.ts'

export { default as Page } from '#web/offline/OfflinePage.tsx'

/** The service worker shows this page offline, so search engines must not index it. */
export const head: HeadOf<null> = (_, { t }) => ({
  title: t('offlineTitle'),
  description: t('offlineWhat'),
  hidden: true,
})
