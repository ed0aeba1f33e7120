import { Link } from 'react-router'
import type { LessonCard } from '#contract/lessons.schemas.ts'
import { OPENS } from '#web/core/router/arrival.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { useNameOf } from '#web/core/PersonName.tsx'
import { bookPicture, CARD_SIZES, isPatternPaper } from '#web/items/list/book-picture.ts'
import { useBookState } from '#web/items/list/book-state.ts'
import { CardNumbers } from '#web/items/list/CardNumbers.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { useLikes } from '#web/likes/likes-given.ts'
import { Book } from '#web/ui/books/Book.tsx'
import { Card } from '#web/ui/books/Card.tsx'
import { CardLink } from '#web/ui/books/CardLink.tsx'
import { Face } from '#web/ui/Face.tsx'
import { StateWord } from '#web/ui/books/StateWord.tsx'

interface LessonItemProps {
  readonly lesson: LessonCard
  readonly level?: 'h2' | 'h3' | undefined
  /** One of the pictures that are seen first. */
  readonly eager?: boolean | undefined
}

/** A lesson in a list: its book, title, owner, numbers, and one link over all of it. */
export function LessonItem({ lesson, level, eager }: LessonItemProps) {
  const { t } = useText()
  const nameOf = useNameOf()
  const { likes } = useLikes('lesson', lesson)
  const state = useBookState(lesson)
  const lang = textLanguage(lesson.title)
  const label = isPatternPaper(lesson.thumbnail) ? lesson.title : undefined
  const picture = bookPicture(lesson.thumbnail, CARD_SIZES)
  return (
    <Card
      book={
        <Book
          seed={lesson.id}
          picture={picture}
          label={label}
          lang={lang}
          state={state}
          eager={eager}
        />
      }
      title={lesson.title}
      lang={lang}
      level={level}
      by={
        <>
          <Face src={lesson.ownerImage} eager={eager} />
          {nameOf(lesson.ownerName)}
          {state.kind === 'owned' && <StateWord icon="check">{t('owned')}</StateWord>}
          {state.kind === 'yours' && <StateWord icon="pen">{t('yours')}</StateWord>}
        </>
      }
      stats={
        <>
          <CardNumbers kind="lesson" values={{ ...lesson, likes }} />
          <CardLink
            as={Link}
            to={to.lesson(lesson.id)}
            state={state.kind === 'sealed' ? undefined : OPENS}
            title={lesson.title}
          >
            {t('details')}
          </CardLink>
        </>
      }
    />
  )
}
