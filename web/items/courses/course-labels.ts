import { useText } from '#web/core/i18n.tsx'

export function useCourseLabels() {
  const { t } = useText()
  return {
    title: t('title'),
    description: t('description'),
    image: t('picture'),
    lessons: t('lessons'),
    freePreview: t('freePreview'),
    reason: t('reason'),
  }
}
