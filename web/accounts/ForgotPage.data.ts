import type { HeadOf } from '#web/core/page.ts'

export { default as Page } from '#web/accounts/ForgotPage.tsx'

/** Hidden from search engines: the page is of use only to who comes from the login. */
export const head: HeadOf<null> = (_, { t }) => ({ title: t('forgotTitle'), hidden: true })
