import type { HeadOf } from '#web/core/page.ts'

export { default as Page } from '#web/accounts/LogoutPage.tsx'

/** Hidden from search engines: there is nothing to read. */
export const head: HeadOf<null> = (_, { t }) => ({ title: t('logoutTitle'), hidden: true })
