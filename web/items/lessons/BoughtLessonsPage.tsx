import { useMoment } from '#web/core/moments/moment.ts'
import { OPENS } from '#web/core/router/arrival.ts'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { LessonFar, LessonFarWide } from '#web/items/shared/list/Far.tsx'
import { Newest } from '#web/items/shared/list/Newest.tsx'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { BoughtItems } from '#web/items/shared/list/OwnItems.tsx'
import type { loader } from '#web/items/lessons/BoughtLessonsPage.data.ts'
import { useMarks } from '#web/items/progress/use-marks.ts'
import { courseStage, lessonStage } from '#web/items/progress/stages.ts'
import { LessonItem } from '#web/items/lessons/LessonItem.tsx'
import styles from '#web/items/shared/list/Newest.module.css'

export default function BoughtLessonsPage() {
  const { page, sort, items, through } = usePageData<typeof loader>()
  const { t } = useText()
  const moment = useMoment()
  const marks = useMarks([
    ...items.map(({ id }) => id),
    ...through.flatMap((course) => course.lessons),
  ])
  const countOf = (lessons: readonly number[]) => {
    const { stage, done } = courseStage(lessons, marks.of)
    const total = lessons.length
    return stage === 'unread' ? t('lessonCount', { total }) : t('stallDoneOf', { done, total })
  }
  return (
    <>
      <BoughtItems
        title={t('boughtLessons')}
        page={page}
        sort={sort}
        items={items}
        href={to.boughtLessons}
        step={{ label: t('browseLessons'), href: to.lessons() }}
        none={t('noLessonsYet')}
        newest={(lesson) => (
          <Newest
            item={lesson}
            href={to.lesson(lesson.id)}
            stage={lessonStage(marks.of(lesson.id))}
            far={<LessonFarWide mark={marks.of(lesson.id)} />}
            moment={moment}
          />
        )}
        card={(lesson, eager) => (
          <LessonItem
            key={lesson.id}
            lesson={lesson}
            level="h2"
            eager={eager}
            far={<LessonFar mark={marks.of(lesson.id)} />}
          />
        )}
      />
      {through.length > 0 && (
        <section className={styles.through} aria-labelledby="through">
          <h2 id="through">{t('openThrough')}</h2>
          <ul>
            {through.map((course) => (
              <li key={course.id}>
                <Link
                  to={to.course(course.id)}
                  state={OPENS}
                  lang={textLanguage(course.title)}
                  dir="auto"
                >
                  {course.title}
                </Link>
                <span className="quiet small">{countOf(course.lessons)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
