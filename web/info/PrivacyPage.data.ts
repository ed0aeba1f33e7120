import type { HeadOf } from '#web/core/page.ts'

export { default as Page } from '#web/info/PrivacyPage.tsx'

export const head: HeadOf<null> = (_, { t }) => ({
  title: t('privacyTitle'),
  description: t('privacyDescription'),
})
