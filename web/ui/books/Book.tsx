import { clothIndex, type Seed } from '#contract/dyes.ts'
import { labelSize } from '#web/ui/books/label-size.ts'
import { Picture, type PictureSources } from '#web/ui/books/Picture.tsx'
import { Points } from '#web/ui/points/Points.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Book.module.css'

/** sealed: a band with the price. free: a band with a text. owned: a ribbon. yours: nothing. closed: the default. */
export type BookState =
  | {
      readonly kind: 'sealed'
      readonly price: string
      readonly unit: string
      /** A sentence for the wide band on the item's own page. */
      readonly words?: string | undefined
    }
  | { readonly kind: 'free'; readonly words: string }
  | { readonly kind: 'owned' }
  | { readonly kind: 'yours' }
  | { readonly kind: 'closed' }

interface BookProps {
  /** The item's id, which determines the colour of the spine. */
  readonly seed: Seed
  readonly picture: PictureSources
  /** Only for a generated pattern, which does not show what the item is about. */
  readonly label?: string | undefined
  readonly by?: string | undefined
  readonly lang?: string | undefined
  readonly state?: BookState | undefined
  /** A course has no spine, because its picture shows a shelf. */
  readonly course?: boolean | undefined
  readonly mini?: boolean | undefined
  /** open: lies open. opening: the unlock animation. binding: the publish animation. */
  readonly look?: 'open' | 'opening' | 'binding' | undefined
  readonly className?: string | undefined
  /** Loads a picture above the fold without delay. */
  readonly eager?: boolean | undefined
}

const closed: BookState = { kind: 'closed' }

const SIZES = { short: undefined, long: styles.long, longest: styles.longest } as const

/** Decorative: the title and state are text next to it. */
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
