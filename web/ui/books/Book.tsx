import { clothIndex, type Seed } from '#contract/dyes.ts'
import { labelSize } from '#web/ui/books/label-size.ts'
import { Picture, type PictureSources } from '#web/ui/books/Picture.tsx'
import { Points } from '#web/ui/points/Points.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Book.module.css'

/** sealed: a band with the price. free: a band that says so. owned: a ribbon. yours: nothing on it, it opens. */
export type BookState =
  | {
      readonly kind: 'sealed'
      readonly price: string
      readonly unit: string
      /** On the large book of the item's own page, whose band is broad enough for a sentence. */
      readonly words?: string | undefined
    }
  | { readonly kind: 'free'; readonly words: string }
  | { readonly kind: 'owned' }
  | { readonly kind: 'yours' }
  | { readonly kind: 'closed' }

interface BookProps {
  /** The item's id: it chooses the cloth of the spine. */
  readonly seed: Seed
  readonly picture: PictureSources
  /** Only on a pattern paper, which does not say what it is. */
  readonly label?: string | undefined
  readonly by?: string | undefined
  readonly lang?: string | undefined
  readonly state?: BookState | undefined
  /** A course: its picture is a shelf and it has no spine of its own. */
  readonly course?: boolean | undefined
  readonly mini?: boolean | undefined
  /** open: it lies open. opening: its cover opens and the ribbon falls. binding: it binds itself. */
  readonly look?: 'open' | 'opening' | 'binding' | undefined
  readonly className?: string | undefined
  /** The picture that is seen first is not lazy. */
  readonly eager?: boolean | undefined
}

const closed: BookState = { kind: 'closed' }

const SIZES = { short: undefined, long: styles.long, longest: styles.longest } as const

/** An item as a quarter-bound book. Decoration throughout: title and state stand as text beside it. */
export function Book(props: BookProps) {
  const {
    seed,
    picture,
    label,
    by,
    lang,
    state = closed,
    course,
    mini,
    look,
    eager,
    className,
  } = props
  const opens = state.kind === 'owned' || state.kind === 'yours'
  const cloth = `cloth-${clothIndex(seed)}`
  return (
    <span
      data-book
      className={classes(
        styles.book,
        opens && styles.owned,
        mini && styles.mini,
        look === 'open' && styles.liesOpen,
        look === 'opening' && styles.opening,
        look === 'binding' && styles.binding,
        cloth,
        className,
      )}
    >
      {state.kind === 'owned' && <span className={styles.ribbon} />}
      <span className={classes(styles.board, course && styles.set)}>
        <Picture
          {...picture}
          alt=""
          width={320}
          height={180}
          {...(eager ? { fetchPriority: 'high' } : { loading: 'lazy' })}
        />
        {label !== undefined && (
          <span
            className={classes(styles.label, SIZES[labelSize(label)])}
            data-first={Array.from(label)[0]}
            lang={lang}
            dir="auto"
            aria-hidden="true"
          >
            <span>{label}</span>
            {by !== undefined && <small>{by}</small>}
          </span>
        )}
        {state.kind === 'sealed' && (
          <span
            data-band
            className={classes(styles.band, state.words !== undefined && styles.belly)}
          >
            <Points amount={state.price} unit={state.unit} dark />
            {state.words !== undefined && <em>{state.words}</em>}
          </span>
        )}
        {state.kind === 'free' && (
          <span data-band className={classes(styles.band, styles.free)}>
            {state.words}
          </span>
        )}
      </span>
    </span>
  )
}
