import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'react-router'
import type { Course } from '#contract/courses.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import { useKept } from '#web/core/offline/use-kept.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { cameFromInside } from '#web/items/courses/course-arrival.ts'
import { useCourseProgress } from '#web/items/courses/details/course-progress.ts'
import { CourseLessonView } from '#web/items/courses/details/CourseLessonView.tsx'
import { CoursePile } from '#web/items/courses/details/CoursePile.tsx'
import { CourseResume } from '#web/items/courses/details/CourseResume.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { ItemLine } from '#web/items/shared/details/ItemActs.tsx'
import { VideoTimes } from '#web/core/video-times/VideoTimes.tsx'
import { PreviewOffer } from '#web/items/courses/details/PreviewOffer.tsx'
import { ItemResponses } from '#web/items/shared/details/ItemResponses.tsx'
import { FocusSwitch } from '#web/items/lessons/focus/FocusSwitch.tsx'
import { LessonNotes } from '#web/items/notes/LessonNotes.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Item.module.css'

export interface CourseOpenPageProps {
  readonly course: Course
  readonly lesson: OpenLesson
}

/** Shows the open lesson beside the stack of the course's lessons. A free preview is followed by the offer. */
export function CourseOpenPage({ course, lesson }: CourseOpenPageProps) {
  const { t } = useText()
  const progress = useCourseProgress(course.lessons)
  useKept(to.course(course.id, lesson.id), `${course.title}: ${lesson.title}`)
  const { lastOpened: last } = progress
  const visit = useEffectEvent((opened: number) => progress.visit(opened))
  const { lessons, can } = course
  const isChosen = cameFromInside(useLocation().state) || lessons[0]?.id !== lesson.id
  useEffect(() => {
    if (can.see && isChosen) visit(lesson.id)
  }, [can.see, isChosen, lesson.id])
  const left = isChosen ? undefined : lessons.find(({ id }) => id === last && id !== lesson.id)
  return (
    <>
      <div className={styles.courseHead}>
        <nav className={styles.crumbs} aria-label={t('breadcrumb')}>
          <Link to={to.courses()}>{t('courses')}</Link>
          <span aria-hidden="true">/</span>
          <span>{t('courseOf', { total: lessons.length })}</span>
        </nav>
        <h1 lang={textLanguage(course.title)} dir="auto">
          {course.title}
        </h1>
        <p className={styles.lede} lang={textLanguage(course.description)} dir="auto">
          {course.description}
        </p>
        <ItemLine kind="course" item={course}>
          <FocusSwitch />
        </ItemLine>
      </div>
      <div className={classes(styles.item, styles.course)}>
        <CoursePile course={course} shown={lesson.id} progress={progress} />
        <article>
          <VideoTimes>
            {can.see && left !== undefined && <CourseResume course={course.id} lesson={left} />}
            <CourseLessonView course={course} lesson={lesson} progress={progress} />
            {!can.see && <PreviewOffer course={course} />}
            <ItemResponses
              kind="course"
              item={course}
              lesson={lesson}
              notes={<LessonNotes key={lesson.id} lesson={lesson.id} />}
            />
          </VideoTimes>
        </article>
      </div>
    </>
  )
}
