import type { CourseLesson } from '#contract/courses.ts'
import { Rich } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { INSIDE } from '#web/items/courses/course-arrival.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import styles from '#web/ui/styles/Item.module.css'

interface CourseResumeProps {
  readonly course: number
  readonly lesson: CourseLesson
}

/**
 * Leads back to the last lesson, because a course always opens at its first. It overlays the picture: it appears a
 * moment after the page and must not shift anything.
 */
export function CourseResume({ course, lesson }: CourseResumeProps) {
  return (
    <p className={styles.resume} data-beside>
      <ButtonLink
        as={Link}
        kind="main"
        icon="right"
        to={to.course(course, lesson.id)}
        state={INSIDE}
      >
        <span>
          <Rich
            id="courseResume"
            values={{ title: lesson.title }}
            components={{ b: <b lang={textLanguage(lesson.title)} dir="auto" /> }}
          />
        </span>
      </ButtonLink>
    </p>
  )
}
