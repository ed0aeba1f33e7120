import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/community/contact/ReportPage.tsx'

export const loader = (async ({ url }) => ({
  isSent: url.searchParams.has('sent'),
})) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_, { t }) => ({
  title: t('reportTitle'),
  description: t('reportDescription'),
})
