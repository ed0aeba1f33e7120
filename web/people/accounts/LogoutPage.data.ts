import type { HeadOf } from '#web/core/page.ts'

export { default as Page } from '#web/people/accounts/LogoutPage.tsx'

export const head: HeadOf<null> = (_, { t }) => ({ title: t('logoutTitle'), hidden: true })
