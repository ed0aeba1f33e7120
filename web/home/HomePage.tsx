import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { CourseItem } from '#web/items/shared/list/CourseItem.tsx'
import { Carousel } from '#web/home/Carousel.tsx'
import { Explainer } from '#web/home/Explainer.tsx'
import type { loader } from '#web/home/HomePage.data.ts'
import { NoLessons } from '#web/home/NoLessons.tsx'
import { StallRows } from '#web/home/stall/StallRows.tsx'
import { TagShelves } from '#web/home/TagShelves.tsx'
import { LessonItem } from '#web/items/lessons/LessonItem.tsx'

/** Cards of the first slide, whose pictures load without delay. */
const FIRST = 4

export default function HomePage() {
  const { t } = useText()
  const { numbers, popular, highest, shelves, free, stall } = usePageData<typeof loader>()
  const hasFree = free !== null && free.lessons.length > 0
  return (
    <>
      {hasFree && (
        <Carousel
          title={t('homeFree')}
          all={to.lessons({ free: '1', sort: 'views' })}
          total={free.total}
        >
          {free.lessons.map((lesson, place) => (
            <LessonItem key={lesson.id} lesson={lesson} eager={place < FIRST} />
          ))}
        </Carousel>
      )}
      {stall !== null && <StallRows stall={stall} />}
      {popular.length === 0 ? (
        <NoLessons />
      ) : (
        <Carousel title={t('homePopular')} all={to.lessons()} total={numbers.lessons}>
          {popular.map((lesson, place) => (
            <LessonItem key={lesson.id} lesson={lesson} eager={!hasFree && place < FIRST} />
          ))}
        </Carousel>
      )}
      {highest.length > 0 && (
        <Carousel title={t('homeHighest')} all={to.courses()} total={numbers.courses}>
          {highest.map((course) => (
            <CourseItem key={course.id} course={course} />
          ))}
        </Carousel>
      )}
      {shelves.length > 0 && <TagShelves shelves={shelves} />}
      {stall === null && <Explainer />}
    </>
  )
}
