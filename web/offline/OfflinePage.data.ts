import type { HeadOf } from '#web/core/page.ts'

export { default as Page } from '#web/offline/OfflinePage.tsx'

/** Kept by browsers and shown without a network: nobody finds it by searching. */
export const head: HeadOf<null> = (_, { t }) => ({
  title: t('offlineTitle'),
  description: t('offlineWhat'),
  hidden: true,
})
