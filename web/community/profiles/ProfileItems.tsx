import type { ReactNode } from 'react'
import { LAST_PAGE } from '#contract/limits.ts'
import type { Profile } from '#contract/profiles.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'
import { CourseItem } from '#web/items/shared/list/CourseItem.tsx'
import { LessonItem } from '#web/items/lessons/LessonItem.tsx'
import { PageLinks } from '#web/layout/paging/PageLinks.tsx'
import { pagesOf } from '#web/community/profiles/profile-pages.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { CardGrid } from '#web/ui/books/CardGrid.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import styles from './Profile.module.css'

/** Pictures above the fold on a wide screen. */
const SEEN_FIRST = 5

interface PartProps {
  readonly profile: Pick<Profile, 'id' | 'username' | 'ownLessons' | 'ownCourses'> & {
    readonly counts: Pick<Profile['counts'], 'lessons' | 'courses'>
  }
  readonly page: number
  readonly href: (page: number) => string
}

export function ProfileLessons({ profile, page, href }: PartProps) {
  const { t, formatNumber } = useText()
  const isOwn = useSession()?._id === profile.id
  const { ownLessons, counts, username } = profile
  if (ownLessons.length === 0) {
    return (
      <Empty
        drawing="shelf"
        title={t(isOwn ? 'profileNoLessonsOwn' : 'profileNoLessons', { username })}
        step={isOwn && <Step to={to.createLesson()}>{t('profileCreateLesson')}</Step>}
      />
    )
  }
  return (
    <>
      <CardGrid>
        {ownLessons.map((lesson, index) => (
          <LessonItem key={lesson.id} lesson={lesson} level="h2" eager={index < SEEN_FIRST} />
        ))}
      </CardGrid>
      <PageLinks page={page} pages={Math.min(LAST_PAGE, pagesOf(counts.lessons))} href={href} />
      {counts.lessons > ownLessons.length && (
        <All to={to.lessons({ owner: profile.id })}>
          {t('profileAllLessons', { total: formatNumber(counts.lessons), username })}
        </All>
      )}
    </>
  )
}

export function ProfileCourses({ profile, page, href }: PartProps) {
  const { t, formatNumber } = useText()
  const isOwn = useSession()?._id === profile.id
  const { ownCourses, counts, username } = profile
  if (ownCourses.length === 0) {
    return (
      <Empty
        drawing="shelf"
        title={t(isOwn ? 'profileNoCoursesOwn' : 'profileNoCourses', { username })}
        step={isOwn && <Step to={to.createCourse()}>{t('profileCreateCourse')}</Step>}
      />
    )
  }
  return (
    <>
      <CardGrid>
        {ownCourses.map((course, index) => (
          // Profiles have always linked to lesson 1; the page then opens the course's first lesson.
          <CourseItem
            key={course.id}
            course={course}
            level="h2"
            eager={index < SEEN_FIRST}
            opens={1}
          />
        ))}
      </CardGrid>
      <PageLinks page={page} pages={Math.min(LAST_PAGE, pagesOf(counts.courses))} href={href} />
      {counts.courses > ownCourses.length && (
        <All to={to.courses({ owner: profile.id })}>
          {t('profileAllCourses', { total: formatNumber(counts.courses), username })}
        </All>
      )}
    </>
  )
}

interface WayProps {
  readonly to: string
  readonly children: ReactNode
}

function Step({ to: path, children }: WayProps) {
  return (
    <ButtonLink as={Link} kind="main" to={path}>
      {children}
    </ButtonLink>
  )
}

function All({ to: path, children }: WayProps) {
  return (
    <p className={styles.profileAll}>
      <ButtonLink as={Link} to={path}>
        {children}
      </ButtonLink>
    </p>
  )
}
