import type { ComponentPropsWithoutRef, ElementType, ReactNode } from 'react'
import { clothIndex, type Seed } from '#contract/dyes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Book.module.css'
import pileStyles from './Pile.module.css'

interface OwnProps<T extends ElementType> {
  readonly as: T
  readonly seed: Seed
  readonly title: string
  /** The title's language. */
  readonly lang?: string | undefined
  /** Minutes, or the place one has reached. */
  readonly note?: ReactNode
  /** Drawn as a tick; the words for it belong in `note`. */
  readonly done?: boolean | undefined
  readonly open?: boolean | undefined
  /** Drawn as a lock; the word for it belongs in `note`. */
  readonly locked?: boolean | undefined
}

type PileBookProps<T extends ElementType> = OwnProps<T> &
  Omit<ComponentPropsWithoutRef<T>, keyof OwnProps<T>>

// No two neighbours lie alike, and a book keeps its place when others come and go.
const lie = (title: string) => (title.length * 7) % 11

/** One lesson of the pile; the open one is pulled out and has a ribbon. */
export function PileBook<T extends ElementType>(props: PileBookProps<T>) {
  const { as, seed, title, lang, note, done, open, locked, ...rest } = props
  const Tag: ElementType = as
  return (
    <li>
      <Tag
        {...rest}
        className={classes(`cloth-${clothIndex(seed)}`, `lie-${lie(title)}`)}
        aria-current={open ? 'page' : undefined}
      >
        <b lang={lang} dir="auto">
          {title}
        </b>
        <small>
          {done && <Icon name="check" />}
          {locked && <Icon name="lock" />}
          {note}
        </small>
        {open && <span className={classes(pileStyles.ribbon, styles.ribbon)} />}
      </Tag>
    </li>
  )
}
