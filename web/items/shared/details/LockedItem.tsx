import type { ReactNode } from 'react'
import type { Lesson } from '#contract/lessons.ts'
import type { ItemKind } from '#contract/points.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { labelSize } from '#web/ui/books/label-size.ts'
import { bookPicture } from '#web/ui/books/book-picture.ts'
import { Book } from '#web/ui/books/Book.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Item.module.css'

const SIZES = '(min-width: 80rem) 44rem, (min-width: 60rem) 55vw, 100vw'

interface LockedItemProps {
  readonly kind: ItemKind
  readonly item: Pick<Lesson, 'id' | 'title' | 'description' | 'thumbnail' | 'price'>
  /** Written on the book's cover, with its author. */
  readonly label?: string | undefined
  readonly by?: string | undefined
  /** The author, the numbers and the actions. */
  readonly children: ReactNode
  readonly inside: ReactNode
}

export function LockedItem({ kind, item, label, by, children, inside }: LockedItemProps) {
  const { t, formatNumber } = useText()
  const isCourse = kind === 'course'
  const lang = textLanguage(item.title)
  return (
    <>
      <nav className={styles.crumbs} aria-label={t('breadcrumb')}>
        <Link to={isCourse ? to.courses() : to.lessons()}>
          {t(isCourse ? 'courses' : 'lessons')}
        </Link>
        <span aria-hidden="true">/</span>
        <span lang={lang} dir="auto">
          {item.title}
        </span>
      </nav>
      <div className={classes(styles.item, styles.locked)}>
        <div>
          <Book
            className={styles.cover}
            course={isCourse}
            seed={item.id}
            picture={bookPicture(item.thumbnail, SIZES)}
            label={label}
            by={by}
            lang={lang}
            state={{
              kind: 'sealed',
              price: formatNumber(item.price),
              unit: t('kbPoints'),
              words: t('sealed'),
            }}
            eager
          />
        </div>
        <div>
          <h1
            className={labelSize(item.title) === 'longest' ? styles.longest : undefined}
            lang={lang}
            dir="auto"
          >
            {item.title}
          </h1>
          <p className={styles.lede} lang={textLanguage(item.description)} dir="auto">
            {item.description}
          </p>
          {children}
        </div>
        {inside}
      </div>
    </>
  )
}
