import type { ReactNode } from 'react'
import { PAGE_SIZE } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { LessonFar } from '#web/items/shared/list/Far.tsx'
import { CourseItem } from '#web/items/shared/list/CourseItem.tsx'
import { LessonItem } from '#web/items/lessons/LessonItem.tsx'
import { useMarks } from '#web/items/progress/use-marks.ts'
import { courseStage } from '#web/items/progress/stages.ts'
import type { loader } from '#web/community/profiles/LikedPage.data.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { CardGrid } from '#web/ui/books/CardGrid.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'
import styles from '#web/ui/styles/Item.module.css'

/** Cards above the fold. */
const SEEN_FIRST = PAGE_SIZE / 2

export default function LikedPage() {
  const { lessons, courses } = usePageData<typeof loader>()
  const { t } = useText()
  const marks = useMarks([
    ...lessons.map(({ id }) => id),
    ...courses.flatMap((course) => course.lessons),
  ])
  const farIn = (course: (typeof courses)[number]) => {
    const { done } = courseStage(course.lessons, marks.of)
    return done === 0 ? undefined : t('stallDoneOf', { done, total: course.lessons.length })
  }
  return (
    <>
      <Head title={t('likedTitle')} as="h1" />
      <Shelf
        id="liked-lessons"
        title={t('likedLessons')}
        empty={
          <Empty
            drawing="shelf"
            title={t('noLikedLessons')}
            step={
              <ButtonLink as={Link} kind="main" to={to.lessons()}>
                {t('browseLessons')}
              </ButtonLink>
            }
          >
            {t('likedEmpty')}
          </Empty>
        }
      >
        {lessons.map((lesson, index) => (
          <LessonItem
            key={lesson.id}
            lesson={lesson}
            level="h3"
            eager={index < SEEN_FIRST}
            far={<LessonFar mark={marks.of(lesson.id)} />}
          />
        ))}
      </Shelf>
      <Shelf
        id="liked-courses"
        title={t('likedCourses')}
        empty={
          <Empty
            drawing="shelf"
            title={t('noLikedCourses')}
            step={
              <ButtonLink as={Link} kind="main" to={to.courses()}>
                {t('browseCourses')}
              </ButtonLink>
            }
          >
            {t('likedEmpty')}
          </Empty>
        }
      >
        {courses.map((course) => (
          <CourseItem key={course.id} course={course} level="h3" far={farIn(course)} />
        ))}
      </Shelf>
    </>
  )
}

interface ShelfProps {
  readonly id: string
  readonly title: string
  readonly empty: ReactNode
  readonly children: readonly ReactNode[]
}

function Shelf({ id, title, empty, children }: ShelfProps) {
  return (
    <section className={styles.likedShelf} aria-labelledby={id}>
      <Head title={title} id={id} />
      {children.length === 0 ? empty : <CardGrid>{children}</CardGrid>}
    </section>
  )
}
