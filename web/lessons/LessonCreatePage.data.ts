import type { HeadOf } from '#web/core/page.ts'

/** Hidden from search engines: a form is nothing to find. */
export const head: HeadOf<null> = (_data, { t }) => ({ title: t('newLesson'), hidden: true })
