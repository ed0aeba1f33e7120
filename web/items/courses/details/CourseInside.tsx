import type { Course, CourseLesson } from '#contract/courses.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { StateWord } from '#web/ui/books/StateWord.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/items/shared/details/Contents.module.css'

/** Lists the lessons as a table of contents. Those that the viewer may see are links. */
export function CourseInside({ course }: { readonly course: Course }) {
  const { t } = useText()
  const { lessons } = course
  return (
    <div>
      <h2>{t('inside')}</h2>
      <p className="quiet">{t('courseInside', { total: lessons.length })}</p>
      <ol data-contents className={classes(styles.toc, styles.numbered)}>
        {lessons.map((lesson) => (
          <li key={lesson.id}>
            <Title course={course} lesson={lesson} />
            {course.freePreview === lesson.id && (
              <StateWord icon="eye">{t('freePreview')}</StateWord>
            )}
            {course.freePreview !== lesson.id && lesson.can.see && (
              <StateWord icon="check">{t('owned')}</StateWord>
            )}
            <span className={styles.dots} />
            {!lesson.can.see && (
              <>
                <Icon name="lock" />
                <span className="sr">{t('courseLockedMark')}, </span>
              </>
            )}
            <p className="quiet" lang={textLanguage(lesson.description)} dir="auto">
              {lesson.description}
            </p>
          </li>
        ))}
      </ol>
    </div>
  )
}

interface TitleProps {
  readonly course: Course
  readonly lesson: CourseLesson
}

function Title({ course, lesson }: TitleProps) {
  const lang = textLanguage(lesson.title)
  if (!lesson.can.see)
    return (
      <b lang={lang} dir="auto">
        {lesson.title}
      </b>
    )
  const isPreview = course.freePreview === lesson.id
  return (
    <Link
      lang={lang}
      dir="auto"
      to={isPreview ? to.course(course.id, lesson.id) : to.lesson(lesson.id)}
    >
      {lesson.title}
    </Link>
  )
}
