import { useText } from '#web/core/i18n.tsx'

export function useLessonLabels() {
  const { t } = useText()
  return {
    title: t('title'),
    description: t('description'),
    opening: t('opening'),
    video: t('videoLink'),
    image: t('picture'),
    tags: t('tags'),
    resources: t('resource'),
    article: t('article'),
    checks: t('checkLabel'),
    reason: t('reason'),
  }
}
