import type { Lesson, LessonCourse } from '#contract/lessons.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Buy } from '#web/ui/points/Buy.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from '#web/ui/styles/Item.module.css'

/** Lists the courses that contain a lesson and compares each price with that of its single lessons. */
export function InCourses({ courses }: Pick<Lesson, 'courses'>) {
  const { t } = useText()
  if (courses.length === 0) return null
  return (
    <section className={styles.inCourses} aria-labelledby="in-courses">
      <h2 id="in-courses">{t('lessonInCourses', { total: courses.length })}</h2>
      <ul>
        {courses.map((course) => (
          <li key={course.id}>
            <Icon name="book" />
            <CourseLink course={course} />
            <CourseSum course={course} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface CourseProps {
  readonly course: LessonCourse
}

function CourseLink({ course }: CourseProps) {
  return (
    <Link to={to.course(course.id)} lang={textLanguage(course.title)} dir="auto">
      {course.title}
    </Link>
  )
}

/** Formats "6 lessons for 500 instead of 600 one by one". */
function CourseSum({ course }: CourseProps) {
  const { t, formatNumber } = useText()
  const { lessons, price, singly } = course
  const sum = { lessons, price: formatNumber(price), singly: formatNumber(singly) }
  return <span className="quiet">{t(singly > price ? 'courseSumLess' : 'courseSum', sum)}</span>
}

/** Stands above a free preview and names its course. */
export function PreviewOf({ course }: CourseProps) {
  const { t } = useText()
  return (
    <p data-preview-of className={styles.previewOf}>
      <Icon name="eye" /> {t('previewOf')} <CourseLink course={course} />
    </p>
  )
}

/** Follows a free preview, where readers arrive after reading, and links to its course. */
export function PreviewEnd({ course }: CourseProps) {
  const { t } = useText()
  return (
    <div className={styles.previewOffer}>
      <Buy label={course.title}>
        <p>{t('coursePreviewNote', { others: course.lessons - 1 })}</p>
        <p>
          <CourseLink course={course} />
          <br />
          <CourseSum course={course} />
        </p>
        <ButtonLink as={Link} kind="main" big full to={to.course(course.id)}>
          {t('previewToCourse')}
        </ButtonLink>
      </Buy>
    </div>
  )
}
