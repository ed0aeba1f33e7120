import type { ReactNode } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from './StallSide.module.css'
import shelfStyles from './Shelf.module.css'

/** Classes for the colour, height and thickness of each spine, and whether it has a label. */
const row = [
  ['cloth-0 tall-24 thick-38', true],
  ['cloth-7 tall-20 thick-30', false],
  ['cloth-8 tall-27 thick-34', false],
  ['cloth-3 tall-22 thick-42', true],
  ['cloth-1 tall-29 thick-34', true],
  ['cloth-6 tall-19 thick-30', false],
  ['cloth-11 tall-25 thick-38', false],
  ['cloth-17 tall-23 thick-34', true],
  ['cloth-10 tall-28 thick-30', false],
  ['cloth-12 tall-21 thick-38', true],
  ['cloth-15 tall-26 thick-34', false],
] as const

interface StallSideProps {
  /** `shelf` is for sign-in and registration, `book` for pages about one step. */
  readonly drawing: 'shelf' | 'book'
  readonly children?: ReactNode
}

/** A decoration beside a form or text, or below it on narrow screens. */
export function StallSide({ drawing, children }: StallSideProps) {
  return (
    <div className={styles.stallSide}>
      {children}
      {drawing === 'shelf' ? (
        <div data-shelf className={classes(shelfStyles.shelf, styles.shelf)} aria-hidden="true">
          {row.map(([look, labelled]) => (
            <i key={look} className={classes(shelfStyles.spine, styles.spine, look)}>
              {labelled && <b />}
            </i>
          ))}
        </div>
      ) : (
        <svg className={styles.openBook} viewBox="0 0 320 190" aria-hidden="true">
          <path
            className={styles.boards}
            d="M10 34c50-10 112-8 150 8 38-16 100-18 150-8v140c-52-8-110-8-150 4-40-12-98-12-150-4z"
          />
          <path
            className={styles.leaves}
            d="M18 24c50-9 106-6 142 13v131c-38-14-92-16-142-8zM302 24c-50-9-106-6-142 13v131c38-14 92-16 142-8z"
          />
          <path
            className={styles.lines}
            d="M160 37v131M40 48c34-3 66 0 98 9M40 66c34-3 66 0 98 9M40 84c34-3 66 0 98 9M40 102c34-3 66 0 98 9M40 120c24-2 44-1 62 2M182 93c32-9 64-12 98-9M182 111c32-9 64-12 98-9M182 129c32-9 64-12 98-9M182 147c18-5 36-8 54-9"
          />
          <path
            className={classes('initial', styles.initial)}
            d="M182 52c8-3 16-5 24-6v26c-8 1-16 3-24 6z"
          />
          <path className={styles.mark} d="M258 19l16 2v62l-8-8-8 7z" />
        </svg>
      )}
    </div>
  )
}
