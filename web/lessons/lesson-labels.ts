import { useText } from '#web/core/i18n.tsx'

/** What a person calls each field of a lesson. */
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
