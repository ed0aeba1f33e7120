import type { ComponentProps } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from './Field.module.css'

/** A native select, which works well on phones and with screen readers. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...rest} className={classes(styles.input, className)} />
}
