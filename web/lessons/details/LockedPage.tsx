import { Link } from 'react-router'
import type { LessonCard, LockedLesson } from '#contract/lessons.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { ReportButton } from '#web/flags/ReportButton.tsx'
import { bookPicture, isPatternPaper } from '#web/items/list/book-picture.ts'
import { LessonFacts } from '#web/lessons/details/LessonFacts.tsx'
import { LessonItem } from '#web/lessons/LessonItem.tsx'
import { useLessonOffer } from '#web/lessons/details/lesson-offer.ts'
import { LessonInside } from '#web/lessons/details/LessonInside.tsx'
import { ShareButton } from '#web/items/sharing/ShareButton.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { LikeButton } from '#web/likes/LikeButton.tsx'
import { BuyPanel } from '#web/purchases/BuyPanel.tsx'
import { CardGrid } from '#web/ui/books/CardGrid.tsx'
import { Head } from '#web/ui/Head.tsx'
import { Book } from '#web/ui/books/Book.tsx'

/** Cards side by side on a large screen. */
const A_ROW = 5
const SIZES = '(min-width: 80rem) 44rem, (min-width: 60rem) 55vw, 100vw'

interface LockedPageProps {
  readonly lesson: LockedLesson
  /** For the signed-in. */
  readonly others: readonly LessonCard[]
}

/** For those who have not unlocked it: what it is, what is inside, what it costs. */
export function LockedPage({ lesson, others }: LockedPageProps) {
  const { t, formatNumber } = useText()
  const offer = useLessonOffer(lesson)
  const lang = textLanguage(lesson.title)
  const paper = isPatternPaper(lesson.thumbnail)
  return (
    <>
      <nav className="crumbs" aria-label={t('breadcrumb')}>
        <Link to={to.lessons()}>{t('lessons')}</Link>
        <span aria-hidden="true">/</span>
        <span lang={lang} dir="auto">
          {lesson.title}
        </span>
      </nav>
      <div className="item locked">
        <div>
          <Book
            seed={lesson.id}
            picture={bookPicture(lesson.thumbnail, SIZES)}
            label={paper ? lesson.title : undefined}
            by={paper ? lesson.ownerName : undefined}
            lang={lang}
            state={{
              kind: 'sealed',
              price: formatNumber(lesson.price),
              unit: t('kbPoints'),
              words: t('sealed'),
            }}
            eager
          />
        </div>
        <div>
          <h1 lang={lang} dir="auto">
            {lesson.title}
          </h1>
          <p className="lede" lang={textLanguage(lesson.description)} dir="auto">
            {lesson.description}
          </p>
          <LessonFacts lesson={lesson} />
          <BuyPanel mayBuy={lesson.can.buy} offer={offer} />
          <div className="acts">
            <LikeButton
              kind="lesson"
              id={lesson.id}
              likes={lesson.likes}
              liked={lesson.liked}
              mayLike={lesson.can.like}
            />
            <ShareButton title={lesson.title} path={to.lesson(lesson.id)} bare />
            <ReportButton kind="lesson" id={lesson.id} name={lesson.title} owner={lesson.owner} />
          </div>
        </div>
        <LessonInside lesson={lesson} />
      </div>
      {others.length > 0 && (
        <section className="more-like-it" aria-labelledby="others">
          <Head title={t('recommended')} id="others" />
          <CardGrid>
            {others.slice(0, A_ROW).map((other) => (
              <LessonItem key={other.id} lesson={other} level="h3" />
            ))}
          </CardGrid>
        </section>
      )}
    </>
  )
}
