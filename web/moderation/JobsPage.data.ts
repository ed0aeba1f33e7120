import type { HeadOf } from '#web/core/page.ts'

export const head: HeadOf<null> = (_, { t }) => ({ title: t('deskJobs'), hidden: true })
