import type { HeadOf } from '#web/core/page.ts'

export const head: HeadOf<null> = (_data, { t }) => ({ title: t('newLesson'), hidden: true })
