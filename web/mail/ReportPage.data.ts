import type { HeadOf } from '#web/core/page.ts'

export { default as Page } from '#web/mail/ReportPage.tsx'

/** Title and description for search engines; the page needs no data. */
export const head: HeadOf<null> = (_, { t }) => ({
  title: t('reportTitle'),
  description: t('reportDescription'),
})
