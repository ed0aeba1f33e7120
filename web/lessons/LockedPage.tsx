import { Link, useNavigate } from 'react-router'
import { type LockedLesson, lessons } from '#contract/lessons.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { bookPicture, isPatternPaper } from '#web/lessons/book-picture.ts'
import { LessonFacts } from '#web/lessons/LessonFacts.tsx'
import { LessonInside } from '#web/lessons/LessonInside.tsx'
import { ShareButton } from '#web/lessons/ShareButton.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { LikeButton } from '#web/likes/LikeButton.tsx'
import { BuyPanel } from '#web/purchases/BuyPanel.tsx'
import { Book } from '#web/ui/Book.tsx'

const SIZES = '(min-width: 80rem) 44rem, (min-width: 60rem) 55vw, 100vw'

/** For those who have not unlocked it: what it is, what is inside, what it costs. */
export function LockedPage({ lesson }: { readonly lesson: LockedLesson }) {
  const { t, formatNumber } = useText()
  const navigate = useNavigate()
  const reload = useReload()
  const lang = textLanguage(lesson.title)
  const paper = isPatternPaper(lesson.thumbnail)
  return (
    <>
      <nav className="crumbs" aria-label={t('breadcrumb')}>
        <Link to={to.lessons()}>{t('lessons')}</Link>
        <span aria-hidden="true">/</span>
        <span lang={lang}>{lesson.title}</span>
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
          <h1 lang={lang}>{lesson.title}</h1>
          <p className="lede" lang={textLanguage(lesson.description)}>
            {lesson.description}
          </p>
          <LessonFacts lesson={lesson} />
          <BuyPanel
            mayBuy={lesson.can.buy}
            here={to.lesson(lesson.id)}
            offer={{
              title: lesson.title,
              price: lesson.price,
              kind: 'lesson',
              buy: () => api(lessons.buy, { id: lesson.id }),
              onBought: () => void navigate(to.boughtLessons()),
              onHeld: () => void reload(),
            }}
          />
          <div className="acts">
            <LikeButton
              kind="lesson"
              id={lesson.id}
              likes={lesson.likes}
              liked={lesson.liked}
              mayLike={lesson.can.like}
            />
            <ShareButton title={lesson.title} path={to.lesson(lesson.id)} bare />
          </div>
        </div>
        <LessonInside lesson={lesson} />
      </div>
    </>
  )
}
