import type { ComponentProps } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from './Book.module.css'

interface CardGridProps extends ComponentProps<'div'> {
  /** Default: 5. The front page uses 4. */
  readonly columns?: 4 | 5 | undefined
}

/** A list on phones, a grid on larger screens. */
export function CardGrid({ columns, className, ...rest }: CardGridProps) {
  return (
    <div {...rest} className={classes(styles.grid, columns === 4 && styles['cols-4'], className)} />
  )
}
