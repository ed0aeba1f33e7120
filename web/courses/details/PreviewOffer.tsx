import type { Course } from '#contract/courses.ts'
import { useText } from '#web/core/i18n.tsx'
import { ItemOffer } from '#web/items/details/ItemOffer.tsx'

/** Below a free preview: how many lessons more there are, and how to have them. */
export function PreviewOffer({ course }: { readonly course: Course }) {
  const { t } = useText()
  return (
    <div className="preview-offer">
      <p>{t('coursePreviewNote', { others: course.lessons.length - 1 })}</p>
      <ItemOffer kind="course" item={course} />
    </div>
  )
}
