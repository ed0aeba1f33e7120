import type { FreshLesson } from '#contract/home.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { bookPicture } from '#web/ui/books/book-picture.ts'
import { Book } from '#web/ui/books/Book.tsx'
import styles from './StallStrip.module.css'

/** As many as the strip is high. */
const SHOWN = 3

/** Lessons that one does not have, each with why it is here. */
export function Fresh({ lessons }: { readonly lessons: readonly FreshLesson[] }) {
  const { t } = useText()
  return (
    <section aria-labelledby="stall-fresh">
      <h2 id="stall-fresh">{t('stallFresh')}</h2>
      {lessons.length === 0 ? (
        <p>{t('stallNoFresh')}</p>
      ) : (
        <ul className={styles.rows}>
          {lessons.slice(0, SHOWN).map(({ card, because }) => (
            <li key={card.id}>
              <Book
                className={styles.book}
                mini
                seed={card.id}
                picture={bookPicture(card.thumbnail, '4rem')}
                eager
              />
              <div>
                <Link to={to.lesson(card.id)} lang={textLanguage(card.title)} dir="auto">
                  {card.title}
                </Link>
                <Because {...because} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Because({ why, tag }: FreshLesson['because']) {
  const { t } = useText()
  if (why === 'tag') return <p>{t('stallBecauseTag', { tag: tag ?? '' })}</p>
  return <p>{t(why === 'together' ? 'stallBecauseTogether' : 'stallBecausePopular')}</p>
}
