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
} from '#web/ui/Skeleton.tsx'
import { TurningBook } from '#web/ui/books/TurningBook.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Layout.module.css'
import skeletonStyles from '#web/ui/styles/Skeleton.module.css'

const LESSON = /^\/lesson\/details\/\d+$/
const COURSE = /^\/course\/details\/\d+/

/**
 * The shape of the page that is slow to come, in place of the one that is left. The left page is only hidden: should
 * the way be broken off, everything in it is still there. A page that changes its own list shows that by itself.
 */
export function WaitingPage({ children }: { readonly children: ReactNode }) {
  const { t } = useText()
  const here = useLocation().pathname
  const ahead = useNavigation().location
  const next = ahead?.pathname ?? here
  // Administrators see everything.
  const opens = useSession()?.role === 'administrator' || leadsInside(ahead?.state)
  const waits = useSlowWait(next) && next !== here
  const shape = () => {
    if (next === to.lessons() || next === to.yourLessons())
      return <GridSkeleton label={t('loadingLessons')} />
    if (next === to.courses() || next === to.yourCourses())
      return <GridSkeleton label={t('loadingCourses')} />
    if (next === to.boughtLessons() || next === to.boughtCourses() || next === to.liked())
      return <TurningBook label={t('fetchingBooks')} />
    if (LESSON.test(next)) {
      const Shape = opens ? OpenLessonSkeleton : ItemSkeleton
      return <Shape label={t('loadingLesson')} />
    }
    const course = COURSE.exec(next)?.[0]
    // From one lesson of a course to the next the course stays in sight.
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
 * The shape is seen from its top, wherever the left page was read. Should that page come back, it is at the same place
 * and has its focus again: what is hidden loses it.
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
