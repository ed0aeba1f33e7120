import type { Stall } from '#contract/home.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { OPENS } from '#web/core/router/arrival.ts'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { bookPicture, isPatternPaper } from '#web/ui/books/book-picture.ts'
import { clockTime } from '#contract/clock-time.ts'
import { Book } from '#web/ui/books/Book.tsx'
import { Meter } from '#web/ui/Meter.tsx'
import styles from './StallStrip.module.css'

const SIZES = '9rem'

/** The one thing to go on with, with how far one is, and the way to the others. */
export function Continue({ items }: { readonly items: Stall['continue'] }) {
  const { t } = useText()
  const [item] = items
  if (item === undefined) return null
  const isCourse = item.kind === 'course'
  return (
    <section aria-labelledby="stall-continue">
      <h2 id="stall-continue">
        {t('stallContinue')}
        <Link to={isCourse ? to.boughtCourses() : to.boughtLessons()}>{t('stallAll')}</Link>
      </h2>
      <div className={styles.goOn}>
        <Book
          className={styles.book}
          seed={item.id}
          picture={bookPicture(item.thumbnail, SIZES)}
          label={isPatternPaper(item.thumbnail) ? item.title : undefined}
          state={{ kind: 'owned' }}
          course={isCourse}
          eager
        />
        <div>
          <h3>
            <Link
              to={isCourse ? to.course(item.id, item.next ?? undefined) : to.lesson(item.id)}
              state={OPENS}
              lang={textLanguage(item.title)}
              dir="auto"
            >
              {item.title}
            </Link>
          </h3>
          <HowFar item={item} />
        </div>
      </div>
    </section>
  )
}

/** A line, and a bar of what is begun. */
function HowFar({ item }: { readonly item: Stall['continue'][number] }) {
  const { t, formatDate } = useText()
  const { kind, lessons, done, seconds, length, date } = item
  if (kind === 'course' && done.length > 0) {
    const words = t('stallDoneOf', { done: done.length, total: lessons.length })
    return <Far words={words} value={done.length} max={lessons.length} />
  }
  if (done.length > 0) return <p>{t('courseDoneMark')}</p>
  if (seconds > 0 && length > 0) {
    const words = t('stallAt', { at: clockTime(seconds), of: clockTime(length) })
    return <Far words={words} value={seconds} max={length} />
  }
  if (date === null) return <p>{t('stallBegun')}</p>
  return <p>{t('stallUnlocked', { date: formatDate(date, 'UTC') })}</p>
}

interface FarProps {
  readonly words: string
  readonly value: number
  readonly max: number
}

function Far({ words, value, max }: FarProps) {
  return (
    <>
      <p>{words}</p>
      <Meter kind="meter" value={value} max={max} label={words} />
    </>
  )
}
