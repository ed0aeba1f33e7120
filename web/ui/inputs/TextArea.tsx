import type { ComponentProps } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from './Field.module.css'

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={4} {...rest} className={classes(styles.input, className)} />
}
