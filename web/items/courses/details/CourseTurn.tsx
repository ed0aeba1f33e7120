import { useEffectEvent, useLayoutEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Course, CourseLesson } from '#contract/courses.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import type { CourseProgress } from '#web/items/courses/details/course-progress.ts'
import { INSIDE } from '#web/items/courses/course-arrival.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Item.module.css'
import fieldStyles from '#web/ui/inputs/Field.module.css'

export interface CourseTurnProps {
  readonly course: Course
  readonly shown: number
  readonly progress: CourseProgress
}

/**
 * Leads to the previous and the next lesson, also by keyboard. Going on marks this lesson as done; after the last
 * one come the lessons that were skipped.
 */
export function CourseTurn({ course, shown, progress }: CourseTurnProps) {
  const { t } = useText()
  const navigate = useNavigate()
  const place = course.lessons.findIndex(({ id }) => id === shown)
  const previous = course.lessons[place - 1]
  const isDone = progress.done.includes(shown)
  const left = course.lessons.filter(({ id }) => id !== shown && !progress.done.includes(id))
  const next = course.lessons[place + 1] ?? left[0]
  const finish = () => progress.mark(shown, true)
  const addressOf = ({ id }: CourseLesson) => to.course(course.id, id)
  const followShortcut = useEffectEvent((event: KeyboardEvent) => {
    const isPlain = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey
    // On some keyboards Alt types letters, so the shortcuts are off in text fields.
    if (!isPlain || isTextField(event.target) || document.querySelector(':modal') !== null) return
    const goal = { KeyN: next, KeyP: previous }[event.code]
    if (goal === undefined) return
    event.preventDefault()
    if (goal === next) finish()
    void navigate(addressOf(goal), { state: INSIDE, viewTransition: true })
  })
  // A layout effect runs before the page is painted. In an effect, a quick key press would still turn from the
  // previous lesson.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => followShortcut(event)
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <nav className={styles.next} aria-label={t('courseTurn')}>
        {previous === undefined ? (
          <span />
        ) : (
          <Link
            to={addressOf(previous)}
            state={INSIDE}
            viewTransition
            rel="prev"
            aria-keyshortcuts="Alt+P"
          >
            <span className="small quiet">{t('coursePrevious')}</span>
            <b lang={textLanguage(previous.title)} dir="auto">
              {previous.title}
            </b>
          </Link>
        )}
        {next !== undefined && (
          <Link
            to={addressOf(next)}
            state={INSIDE}
            viewTransition
            rel="next"
            aria-keyshortcuts="Alt+N"
            onClick={finish}
          >
            <span className="small quiet">{t(isDone ? 'courseNext' : 'courseDoneNext')}</span>
            <b lang={textLanguage(next.title)} dir="auto">
              {next.title}
            </b>
          </Link>
        )}
        {next === undefined && (
          <CourseEnd isDone={isDone} total={course.lessons.length} onDone={finish} />
        )}
      </nav>

      <p className={classes('by-keys', fieldStyles.help, styles.keys)} data-beside>
        {t('courseKeys')}
      </p>
    </>
  )
}

interface CourseEndProps {
  readonly isDone: boolean
  readonly total: number
  readonly onDone: () => void
}

/** A button that marks the last open lesson as done, then a note that all of them are. */
function CourseEnd({ isDone, total, onDone }: CourseEndProps) {
  const { t } = useText()
  const [ended, setEnded] = useState(false)
  if (isDone)
    return (
      <p className={styles.allDone} tabIndex={-1} ref={ended ? takeFocus : undefined}>
        <Icon name="check" /> {t('courseAllDone', { total })}
      </p>
    )
  return (
    <Button
      className={styles.allDone}
      icon="check"
      onClick={() => {
        onDone()
        setEnded(true)
      }}
    >
      {t('courseDoneLast')}
    </Button>
  )
}

/** Moves the focus to the note that replaces the pressed button. */
const takeFocus = (said: HTMLElement | null) => said?.focus()

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select'))
