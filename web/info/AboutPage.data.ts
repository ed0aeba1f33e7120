import type { HeadOf } from '#web/core/page.ts'

export { default as Page } from '#web/info/AboutPage.tsx'

export const head: HeadOf<null> = (_, { t }) => ({
  title: t('aboutTitle'),
  description: t('aboutDescription'),
})
