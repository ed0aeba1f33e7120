import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import type { Course, CourseLesson } from '#contract/courses.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { INSIDE } from '#web/courses/course-arrival.ts'
import { textLanguage } from '#web/core/text-language.ts'

export interface CourseTurnProps {
  readonly course: Course
  /** The id of the lesson that is open. */
  readonly shown: number
  /** Going on means that this lesson is done. */
  readonly onNext: () => void
}

/** To the lesson before and the one after, by link or by key. */
export function CourseTurn({ course, shown, onNext }: CourseTurnProps) {
  const { t } = useText()
  const navigate = useNavigate()
  const place = course.lessons.findIndex(({ id }) => id === shown)
  const previous = course.lessons[place - 1]
  const next = course.lessons[place + 1]
  const addressOf = ({ id }: CourseLesson) => to.course(course.id, id)
  const turn = useEffectEvent((event: KeyboardEvent) => {
    const isPlain = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey
    // Where one writes, Alt makes letters on some keyboards.
    if (!isPlain || isWritten(event.target) || document.querySelector(':modal') !== null) return
    const goal = { KeyN: next, KeyP: previous }[event.code]
    if (goal === undefined) return
    event.preventDefault()
    if (goal === next) onNext()
    void navigate(addressOf(goal), { state: INSIDE })
  })
  useEffect(() => {
    const hear = (event: KeyboardEvent) => turn(event)
    window.addEventListener('keydown', hear)
    return () => window.removeEventListener('keydown', hear)
  }, [])
  return (
    <>
      <nav className="next" aria-label={t('courseTurn')}>
        {previous === undefined ? (
          <span />
        ) : (
          <Link to={addressOf(previous)} state={INSIDE} rel="prev" aria-keyshortcuts="Alt+P">
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
            rel="next"
            aria-keyshortcuts="Alt+N"
            onClick={onNext}
          >
            <span className="small quiet">{t('courseNext')}</span>
            <b lang={textLanguage(next.title)} dir="auto">
              {next.title}
            </b>
          </Link>
        )}
      </nav>
      <p className="help keys">{t('courseKeys')}</p>
    </>
  )
}

const isWritten = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select'))
