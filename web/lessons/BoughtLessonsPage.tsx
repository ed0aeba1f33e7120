import { useMoment } from '#web/core/moments/moment.ts'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Newest } from '#web/items/list/Newest.tsx'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { BoughtItems } from '#web/items/list/OwnItems.tsx'
import type { loader } from '#web/lessons/BoughtLessonsPage.data.ts'
import { clockTime } from '#contract/clock-time.ts'
import { StateWord } from '#web/ui/books/StateWord.tsx'
import { type Mark, useMarks } from '#web/progress/marks.ts'
import { LessonItem } from '#web/lessons/LessonItem.tsx'

/** The lessons that the signed-in person bought, and the courses that open others to them. */
export default function BoughtLessonsPage() {
  const { page, sort, items, through } = usePageData<typeof loader>()
  const { t } = useText()
  const moment = useMoment()
  const marks = useMarks(items.map(({ id }) => id))
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
        newest={(lesson) => <Newest item={lesson} href={to.lesson(lesson.id)} moment={moment} />}
        card={(lesson, eager) => (
          <LessonItem
            key={lesson.id}
            lesson={lesson}
            level="h2"
            eager={eager}
            far={<HowFar mark={marks.of(lesson.id)} />}
          />
        )}
      />
      {through.length > 0 && (
        <section className="through" aria-labelledby="through">
          <h2 id="through">{t('openThrough')}</h2>
          <ul>
            {through.map((course) => (
              <li key={course.id}>
                <Link to={to.course(course.id)} lang={textLanguage(course.title)} dir="auto">
                  {course.title}
                </Link>
                <span className="quiet small">
                  {t('lessonCount', { total: course.lessons.length })}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function HowFar({ mark }: { readonly mark: Mark | undefined }) {
  const { t } = useText()
  if (mark?.done === true) return <StateWord icon="check">{t('courseDoneMark')}</StateWord>
  if (mark?.place === undefined) return null
  const { at, of } = mark.place
  return <StateWord>{t('coursePlace', { time: clockTime(at), length: clockTime(of) })}</StateWord>
}
