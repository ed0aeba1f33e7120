import { Link } from 'react-router'
import type { CourseCard } from '#contract/courses.schemas.ts'
import { OPENS } from '#web/core/router/arrival.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { useNameOf } from '#web/core/PersonName.tsx'
import { bookPicture, CARD_SIZES } from '#web/items/list/book-picture.ts'
import { useBookState } from '#web/items/list/book-state.ts'
import { CardNumbers } from '#web/items/list/CardNumbers.tsx'
import { useLikes } from '#web/likes/likes-given.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Book } from '#web/ui/books/Book.tsx'
import { Card } from '#web/ui/books/Card.tsx'
import { CardLink } from '#web/ui/books/CardLink.tsx'
import { Face } from '#web/ui/Face.tsx'
import { StateWord } from '#web/ui/books/StateWord.tsx'

interface CourseItemProps {
  readonly course: CourseCard
  readonly level?: 'h2' | 'h3' | undefined
  /** One of the pictures that are seen first. */
  readonly eager?: boolean | undefined
  /** The lesson that the link opens; the first by default, and instead of what is none of the course. */
  readonly opens?: number | undefined
}

/** A course in a list: its shelf, title, owner, numbers, and one link over all of it to its first lesson. */
export function CourseItem({ course, level, eager, opens }: CourseItemProps) {
  const { t } = useText()
  const nameOf = useNameOf()
  const state = useBookState(course)
  const { likes } = useLikes('course', course)
  return (
    <Card
      book={
        <Book
          course
          seed={course.id}
          picture={bookPicture(course.thumbnail, CARD_SIZES)}
          state={state}
          eager={eager}
        />
      }
      title={course.title}
      lang={textLanguage(course.title)}
      level={level}
      by={
        <>
          <Face src={course.ownerImage} eager={eager} />
          {nameOf(course.ownerName)}
          {state.kind === 'owned' && <StateWord icon="check">{t('owned')}</StateWord>}
          {state.kind === 'yours' && <StateWord icon="pen">{t('yours')}</StateWord>}
        </>
      }
      stats={
        <>
          <StateWord>{t('lessonCount', { total: course.lessons.length })}</StateWord>
          <CardNumbers kind="course" values={{ ...course, likes }} />
          <CardLink
            as={Link}
            to={to.course(course.id, opens ?? course.lessons[0])}
            state={state.kind === 'sealed' ? undefined : OPENS}
            title={course.title}
          >
            {t('details')}
          </CardLink>
        </>
      }
    />
  )
}
