import { Link } from 'react-router'
import type { Course } from '#contract/courses.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'
import { useCourseOffer } from '#web/courses/details/course-offer.ts'
import { CourseActs } from '#web/courses/details/CourseActs.tsx'
import { CourseFigures, CourseOwner, CourseTags } from '#web/courses/details/CourseFacts.tsx'
import { CourseInside } from '#web/courses/details/CourseInside.tsx'
import { bookPicture } from '#web/items/list/book-picture.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { BuyPanel } from '#web/purchases/BuyPanel.tsx'
import { Book } from '#web/ui/books/Book.tsx'

const SIZES = '(min-width: 80rem) 44rem, (min-width: 60rem) 55vw, 100vw'

/** For those who have not unlocked it: what it is, what is inside, what it costs. */
export function CourseLockedPage({ course }: { readonly course: Course }) {
  const { t, formatNumber } = useText()
  const offer = useCourseOffer(course)
  const isGuest = useSession() === null
  const lang = textLanguage(course.title)
  return (
    <>
      <nav className="crumbs" aria-label={t('breadcrumb')}>
        <Link to={to.courses()}>{t('courses')}</Link>
        <span aria-hidden="true">/</span>
        <span lang={lang} dir="auto">
          {course.title}
        </span>
      </nav>
      <div className="item locked">
        <div>
          <Book
            course
            seed={course.id}
            picture={bookPicture(course.thumbnail, SIZES)}
            state={{
              kind: 'sealed',
              price: formatNumber(course.price),
              unit: t('kbPoints'),
              words: t('sealed'),
            }}
            eager
          />
        </div>
        <div>
          <h1 lang={lang} dir="auto">
            {course.title}
          </h1>
          <p className="lede" lang={textLanguage(course.description)} dir="auto">
            {course.description}
          </p>
          <CourseOwner course={course} />
          <CourseFigures course={course} />
          <CourseTags tags={course.tags} />
          <BuyPanel mayBuy={course.can.buy} offer={offer} />
          <CourseActs course={course} bare={isGuest} />
        </div>
        <CourseInside course={course} />
      </div>
    </>
  )
}
