import type { Course } from '#contract/courses.ts'
import { useText } from '#web/core/i18n.tsx'
import { Figures } from '#web/items/details/Figures.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from '#web/ui/styles/Item.module.css'

/** How many lessons, likes and comments. */
export function CourseFigures({ course }: { readonly course: Course }) {
  const { t } = useText()
  return (
    <p data-figures className={styles.figures}>
      <span>
        <Icon name="book" />
        {t('lessonCount', { total: course.lessons.length })}
      </span>
      <Figures kind="course" item={course} />
    </p>
  )
}
