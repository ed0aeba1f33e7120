import { notices } from '#contract/notices.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/community/notices/NoticeWaysPage.tsx'

export const loader = (({ api }) => api(notices.settings, {})) satisfies Loader<unknown>

export const head: HeadOf<unknown> = (_data, { t }) => ({
  title: t('noticeWaysTitle'),
  hidden: true,
})
