import { useMemo } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { useSession } from '#web/core/session.ts'
import { bookPicture, isPatternPaper } from '#web/ui/books/book-picture.ts'
import type { ItemPart } from '#web/items/shared/form/item-part.ts'
import { useObjectUrl } from '#web/items/shared/form/object-url.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Book } from '#web/ui/books/Book.tsx'
import { Face } from '#web/ui/Face.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './ItemForm.module.css'
import bookStyles from '#web/ui/books/Book.module.css'
import itemStyles from '#web/ui/styles/Item.module.css'

interface ItemPreviewProps {
  /** The id of the item or of the draft; it determines the book's colour. */
  readonly seed: number | string
  readonly values: { readonly title: string; readonly image?: File | undefined }
  /** The drawn picture (SVG) that is shown while none is chosen. */
  readonly paper: string
  readonly price: number
  readonly course?: boolean | undefined
  /** The path of the present picture. */
  readonly current: string | undefined
  /** The owner's name and picture path; undefined for the viewer. */
  readonly owner?: { readonly name: string; readonly image: string } | undefined
  readonly parts: readonly ItemPart[]
}

/** The icon and the screen reader text of each state. */
const STATES = {
  done: { sign: <Icon name="check" />, words: 'fieldDone' },
  // Nothing is wrong yet, so this is not a cross.
  todo: { sign: <i className={styles.ring} />, words: 'fieldTodo' },
  refused: { sign: <Icon name="x" />, words: 'fieldRefused' },
} as const

const LOOKS = { done: styles.done, todo: undefined, refused: styles.refused } as const

/** Shows the book as it will look in lists, and what it still lacks. */
export function ItemPreview(props: ItemPreviewProps) {
  const { seed, values, paper, price, course, current, owner, parts } = props
  const { t, formatNumber } = useText()
  const person = useSession()
  const own = person === null ? undefined : { name: person.username, image: person.imageUrl }
  const by = owner ?? own
  const blank = useMemo(() => new Blob([paper], { type: 'image/svg+xml' }), [paper])
  const chosen = useObjectUrl(values.image)
  const drawn = useObjectUrl(current === undefined ? blank : undefined)
  const title = values.title.trim() === '' ? t('yourTitle') : values.title
  const lang = textLanguage(title)
  const src = chosen ?? current ?? drawn
  const isDrawn = chosen === undefined && (current === undefined || isPatternPaper(current))
  return (
    <aside className={classes(itemStyles.side, styles.looks)} aria-labelledby="looks">
      <h2 id="looks">{t('howItLooks')}</h2>
      <div className={classes(bookStyles.card, styles.card)} aria-hidden="true">
        {src !== undefined && (
          <Book
            seed={seed}
            picture={
              chosen === undefined && current !== undefined
                ? bookPicture(current, '21rem')
                : { src }
            }
            label={isDrawn && !course ? title : undefined}
            course={course}
            lang={lang}
            state={{ kind: 'sealed', price: formatNumber(price), unit: t('kbPoints') }}
            eager
          />
        )}
        <div>
          <h3 lang={lang} dir="auto">
            {title}
          </h3>
          {by !== undefined && (
            <p className={bookStyles.by}>
              <Face src={by.image} />
              <span className={bookStyles.name}>{by.name}</span>
            </p>
          )}
        </div>
      </div>
      <ul className={styles.missing}>
        {parts.map(({ name, state }) => (
          <li key={name} className={LOOKS[state]}>
            {STATES[state].sign}
            {name}
            <span className="sr">: {t(STATES[state].words)}</span>
          </li>
        ))}
      </ul>
    </aside>
  )
}
