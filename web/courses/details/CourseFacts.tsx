import type { Course } from '#contract/courses.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { Figures } from '#web/items/details/Figures.tsx'
import { useLikes } from '#web/likes/likes-given.ts'
import { Icon } from '#web/ui/Icon.tsx'

/** How many lessons, likes and comments. */
export function CourseFigures({ course }: { readonly course: Course }) {
  const { t } = useText()
  const { likes } = useLikes('course', course)
  return (
    <p className="figures">
      <span>
        <Icon name="book" />
        {t('lessonCount', { total: course.lessons.length })}
      </span>
      <Figures kind="course" values={{ ...course, likes, comments: course.commentCount }} />
    </p>
  )
}
