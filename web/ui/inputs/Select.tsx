import type { ComponentProps } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from './Field.module.css'

/** The machine's own list: it works on every phone and with every reader. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...rest} className={classes(styles.input, className)} />
}
