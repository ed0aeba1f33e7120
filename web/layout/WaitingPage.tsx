import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { leadsInside } from '#web/core/router/arrival.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import {
  GridSkeleton,
  ItemSkeleton,
  OpenCourseSkeleton,
  OpenLessonSkeleton,
  RowSkeleton,
} from '#web/ui/Skeleton.tsx'
import { TurningBook } from '#web/ui/books/TurningBook.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Layout.module.css'
import skeletonStyles from '#web/ui/styles/Skeleton.module.css'

const LESSON = /^\/lesson\/details\/\d+$/
const COURSE = /^\/course\/details\/\d+/
const PROFILE = /^\/profile\/[\da-f]{8}-/

const PERSON = ['person', 'line', 'acts', 'row'] as const
const PURSE = ['title', 'by', 'line', 'line', 'acts'] as const
/** Above a list of cards; that of all items has filters. */
const headOf = (isAll: boolean) => (isAll ? (['title', 'filters'] as const) : (['title'] as const))

/**
 * Shows a skeleton while the next page is slow. The current page is only hidden, so that it is intact if the navigation
 * is cancelled. A page that filters its own list shows its own loading state.
 */
export function WaitingPage({ children }: { readonly children: ReactNode }) {
  const { t } = useText()
  const here = useLocation().pathname
  const ahead = useNavigation().location
  const next = ahead?.pathname ?? here
  // Administrators can open everything.
  const opens = useSession()?.role === 'administrator' || leadsInside(ahead?.state)
  const waits = useSlowWait(next) && next !== here
  const shape = () => {
    if (next === to.lessons() || next === to.yourLessons())
      return <GridSkeleton label={t('loadingLessons')} head={headOf(next === to.lessons())} />
    if (next === to.courses() || next === to.yourCourses())
      return <GridSkeleton label={t('loadingCourses')} head={headOf(next === to.courses())} />
    if (PROFILE.test(next)) return <GridSkeleton label={t('loadingProfile')} head={PERSON} />
    if (next === to.notices()) return <RowSkeleton label={t('noticesLoading')} head={['title']} />
    if (next === to.points()) return <RowSkeleton label={t('loadingPoints')} head={PURSE} />
    if (next === to.boughtLessons() || next === to.boughtCourses() || next === to.liked())
      return <TurningBook label={t('fetchingBooks')} />
    if (LESSON.test(next)) {
      const Shape = opens ? OpenLessonSkeleton : ItemSkeleton
      return <Shape label={t('loadingLesson')} />
    }
    const course = COURSE.exec(next)?.[0]
    // Between lessons of a course, the course stays visible.
    if (course !== undefined && course !== COURSE.exec(here)?.[0]) {
      const Shape = opens ? OpenCourseSkeleton : ItemSkeleton
      return <Shape label={t('loadingCourse')} />
    }
    return null
  }
  const skeleton = waits ? shape() : null
  useTop(skeleton !== null)
  return (
    <>
      {skeleton !== null && (
        <div className={classes('wrap', skeletonStyles.waiting, styles.wrap)}>{skeleton}</div>
      )}
      <div className="page" hidden={skeleton !== null}>
        {children}
      </div>
    </>
  )
}

/**
 * Scrolls to the top of the skeleton. If the navigation is cancelled, it restores the scroll position and the focus,
 * which a hidden element loses.
 */
function useTop(isWaiting: boolean): void {
  const focused = useRef<Element | null>(null)
  useLayoutEffect(() => {
    const { activeElement, body } = document
    if (!isWaiting) {
      const before = focused.current
      focused.current = null
      if (before instanceof HTMLElement && activeElement === body)
        before.focus({ preventScroll: true })
      return undefined
    }
    focused.current = activeElement
    const { scrollX, scrollY } = window
    window.scrollTo(0, 0)
    return () => window.scrollTo(scrollX, scrollY)
  }, [isWaiting])
}
