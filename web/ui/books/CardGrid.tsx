import type { ComponentProps } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from './Book.module.css'

interface CardGridProps extends ComponentProps<'div'> {
  /** Four on the home page, else five. */
  readonly columns?: 4 | 5 | undefined
}

/** Cards: in rows on a phone, side by side above. */
export function CardGrid({ columns, className, ...rest }: CardGridProps) {
  return (
    <div {...rest} className={classes(styles.grid, columns === 4 && styles['cols-4'], className)} />
  )
}
