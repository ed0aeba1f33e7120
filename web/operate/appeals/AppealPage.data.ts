import { appeals } from '#contract/appeals.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/operate/appeals/AppealPage.tsx'

export const loader = (async ({ params, url, api }) => ({
  ...(await api(appeals.show, { act: params['act'] ?? '' })),
  isSent: url.searchParams.has('sent'),
})) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_, { t }) => ({ title: t('appealTitle'), hidden: true })
