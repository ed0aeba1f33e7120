import { useEffect, useRef } from 'react'
import type { Course, CourseLesson } from '#contract/courses.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { INSIDE } from '#web/items/courses/course-arrival.ts'
import type { CourseProgress } from '#web/items/courses/details/course-progress.ts'
import { Byline } from '#web/items/shared/details/ItemFacts.tsx'
import { clockTime } from '#contract/clock-time.ts'
import { textLanguage } from '#web/core/text-language.ts'
import type { Place } from '#web/items/progress/marks.ts'
import { Drawer, DrawerOpener } from '#web/ui/Drawer.tsx'
import { Meter } from '#web/ui/Meter.tsx'
import { Pile } from '#web/ui/books/Pile.tsx'
import { PileBook } from '#web/ui/books/PileBook.tsx'
import { FollowAuthor } from '#web/items/follows/FollowAuthor.tsx'
import { SignedIn } from '#web/core/SignedIn.tsx'
import styles from '#web/ui/styles/Item.module.css'

interface CoursePileProps {
  readonly course: Course
  readonly shown: number
  readonly progress: CourseProgress
}

/** The course's lessons in their order, in a drawer on small screens. */
export function CoursePile({ course, shown, progress }: CoursePileProps) {
  const { t } = useText()
  const { lessons } = course
  const side = useRef<HTMLElement>(null)
  // A long pile scrolls on its own, and the open lesson must be visible.
  useEffect(() => {
    const box = side.current
    const open = box?.querySelector<HTMLElement>('[aria-current]')
    if (box && open) box.scrollTop = open.offsetTop - box.clientHeight / 2
  }, [])
  return (
    <aside className={styles.pileSide} data-beside aria-label={t('courseLessons')} ref={side}>
      <DrawerOpener target="pile">
        {t('courseLessonOf', {
          number: lessons.findIndex(({ id }) => id === shown) + 1,
          total: lessons.length,
        })}
      </DrawerOpener>
      <Drawer id="pile">
        {course.can.see && <Progress lessons={lessons} done={progress.done} />}
        <Pile label={t('courseLessons')}>
          {lessons.map((lesson) => {
            const done = progress.done.includes(lesson.id)
            return (
              <PileBook
                key={lesson.id}
                as={Link}
                to={to.course(course.id, lesson.id)}
                state={INSIDE}
                viewTransition
                seed={lesson.id}
                title={lesson.title}
                lang={textLanguage(lesson.title)}
                open={lesson.id === shown}
                done={done}
                locked={!opensHere(course, lesson)}
                note={
                  <Note
                    course={course}
                    lesson={lesson}
                    done={done}
                    place={done ? undefined : progress.positionIn(lesson.id)}
                  />
                }
              />
            )
          })}
        </Pile>
        <Byline item={course}>
          <SignedIn>
            <FollowAuthor key={course.owner} item={course} />
          </SignedIn>
        </Byline>
      </Drawer>
    </aside>
  )
}

/** True when the link opens the lesson rather than the course's offer. */
const opensHere = (course: Course, lesson: CourseLesson): boolean =>
  course.can.see || course.freePreview === lesson.id

interface ProgressLineProps {
  readonly lessons: readonly CourseLesson[]
  readonly done: readonly number[]
}

function Progress({ lessons, done }: ProgressLineProps) {
  const { t } = useText()
  const open = lessons.filter(({ id }) => !done.includes(id))
  const values = { done: lessons.length - open.length, total: lessons.length }
  return (
    <>
      <p className="quiet num" role="status">
        {open.length === 0
          ? t('courseAllDone', values)
          : t('courseProgress', { ...values, left: open.length })}
      </p>
      <Meter kind="meter" value={values.done} max={values.total} label={t('courseMeter', values)} />
    </>
  )
}

interface NoteProps {
  readonly course: Course
  readonly lesson: CourseLesson
  readonly done: boolean
  readonly place: Place | undefined
}

function Note({ course, lesson, done, place }: NoteProps) {
  const { t } = useText()
  const isLocked = !opensHere(course, lesson)
  const words = () => {
    if (!course.can.see && course.freePreview === lesson.id) return t('freePreview')
    if (place !== undefined)
      return t('coursePlace', { time: clockTime(place.at), length: clockTime(place.of) })
    return null
  }
  return (
    <>
      {done && <span className="sr">{t('courseDoneMark')}, </span>}
      {isLocked && <span className="sr">{t('courseLockedMark')}, </span>}
      {words()}
    </>
  )
}
