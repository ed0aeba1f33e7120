import type { Stall } from '#contract/home.ts'
import type { ContinueItem } from '#contract/progress.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { OPENS } from '#web/core/router/arrival.ts'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { bookPicture, isPatternPaper } from '#web/ui/books/book-picture.ts'
import { clockTime } from '#contract/clock-time.ts'
import { Book } from '#web/ui/books/Book.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Meter } from '#web/ui/Meter.tsx'
import styles from './StallStrip.module.css'

export function Continue({ items }: { readonly items: Stall['continue'] }) {
  const { t } = useText()
  const [item, ...others] = items
  if (item === undefined) return null
  const isCourse = item.kind === 'course'
  const step =
    item.seconds > 0
      ? t('continueAt', { time: clockTime(item.seconds) })
      : t(item.opened === null ? 'readNow' : 'readOn')
  return (
    <section aria-labelledby="stall-continue">
      <h2 id="stall-continue">
        {t('stallContinue')}
        <Link to={isCourse ? to.boughtCourses() : to.boughtLessons()}>{t('stallAll')}</Link>
      </h2>
      <div className={styles.begun}>
        <div className={styles.goOn}>
          <Book
            className={styles.book}
            seed={item.id}
            picture={bookPicture(item.thumbnail, '(min-width: 48rem) 14rem, 9rem')}
            label={isPatternPaper(item.thumbnail) ? item.title : undefined}
            state={{ kind: 'owned' }}
            course={isCourse}
            eager
          />
          <div>
            <h3 lang={textLanguage(item.title)} dir="auto">
              {item.title}
            </h3>
            <HowFar item={item} />
            <ButtonLink
              as={Link}
              kind="main"
              to={placeOf(item)}
              state={OPENS}
              aria-label={`${step}: ${item.title}`}
            >
              {step}
            </ButtonLink>
          </div>
        </div>
        {others.length > 0 && (
          <ul>
            {others.map((other) => (
              <li key={`${other.kind} ${other.id}`}>
                <Book
                  className={styles.book}
                  mini
                  seed={other.id}
                  picture={bookPicture(other.thumbnail, '4rem')}
                  course={other.kind === 'course'}
                  eager
                />
                <div>
                  <Link
                    to={placeOf(other)}
                    state={OPENS}
                    lang={textLanguage(other.title)}
                    dir="auto"
                  >
                    {other.title}
                  </Link>
                  <HowFar item={other} />
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

/** The next lesson of a course, or the position where the video was left. */
function placeOf({ kind, id, next, seconds }: ContinueItem): string {
  if (kind === 'course') return to.course(id, next ?? undefined)
  return seconds > 0 ? to.lessonAt(id, Math.floor(seconds)) : to.lesson(id)
}

function HowFar({ item }: { readonly item: ContinueItem }) {
  const { t, formatDate } = useText()
  const { kind, lessons, done, seconds, length, date } = item
  if (kind === 'course' && done.length > 0) {
    const words = t('stallDoneOf', { done: done.length, total: lessons.length })
    return <Far words={words} value={done.length} max={lessons.length} />
  }
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
