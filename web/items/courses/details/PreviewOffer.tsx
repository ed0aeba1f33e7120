import type { Course } from '#contract/courses.ts'
import { useText } from '#web/core/i18n.tsx'
import { ItemOffer } from '#web/items/shared/details/ItemOffer.tsx'
import styles from '#web/ui/styles/Item.module.css'

/** Stands below a free preview and offers the other lessons of its course. */
export function PreviewOffer({ course }: { readonly course: Course }) {
  const { t } = useText()
  return (
    <div className={styles.previewOffer}>
      <p>{t('coursePreviewNote', { others: course.lessons.length - 1 })}</p>
      <ItemOffer kind="course" item={course} />
    </div>
  )
}
