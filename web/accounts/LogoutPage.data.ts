import type { HeadOf } from '#web/core/page.ts'

/** Hidden from search engines: there is nothing to read. */
export const head: HeadOf<null> = (_, { t }) => ({ title: t('logoutTitle'), hidden: true })
