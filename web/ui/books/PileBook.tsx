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
  readonly lang?: string | undefined
  /** The duration or the reader's progress. */
  readonly note?: ReactNode
  /** Shows a decorative tick. Put the text into `note`. */
  readonly done?: boolean | undefined
  readonly open?: boolean | undefined
  /** Shows a decorative lock. Put the text into `note`. */
  readonly locked?: boolean | undefined
}

type PileBookProps<T extends ElementType> = OwnProps<T> &
  Omit<ComponentPropsWithoutRef<T>, keyof OwnProps<T>>

// Derived from the title, so that neighbours differ and a book keeps its offset when others come and go.
const lie = (title: string) => (title.length * 7) % 11

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
