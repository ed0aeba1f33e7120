import type { FollowedItem } from '#contract/home.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { bookPicture } from '#web/ui/books/book-picture.ts'
import { Book } from '#web/ui/books/Book.tsx'
import styles from './StallStrip.module.css'

/** As many as the strip is high. */
const SHOWN = 3

/** What people whom one follows published last, each with who it was. */
export function Followed({ items }: { readonly items: readonly FollowedItem[] }) {
  const { t } = useText()
  return (
    <section aria-labelledby="stall-followed">
      <h2 id="stall-followed">
        {t('stallFollowed')}
        <Link to={to.followed()}>{t('stallFollowedAll')}</Link>
      </h2>
      <ul className={styles.rows}>
        {items.slice(0, SHOWN).map(({ kind, card }) => (
          <li key={`${kind} ${card.id}`}>
            <Book
              className={styles.book}
              mini
              seed={card.id}
              picture={bookPicture(card.thumbnail, '4rem')}
              course={kind === 'course'}
              eager
            />
            <div>
              <Link
                to={kind === 'course' ? to.course(card.id) : to.lesson(card.id)}
                lang={textLanguage(card.title)}
                dir="auto"
              >
                {card.title}
              </Link>
              <p dir="auto">{card.ownerName}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
