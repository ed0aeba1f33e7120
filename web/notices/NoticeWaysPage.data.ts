import { notices } from '#contract/notices.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/notices/NoticeWaysPage.tsx'

/** How one is told of each kind. */
export const loader = (({ api }) => api(notices.settings, {})) satisfies Loader<unknown>

/** Hidden from search engines. */
export const head: HeadOf<unknown> = (_data, { t }) => ({
  title: t('noticeWaysTitle'),
  hidden: true,
})
