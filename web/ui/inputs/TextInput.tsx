import type { ComponentProps } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from './Field.module.css'

export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input type="text" {...rest} className={classes(styles.input, className)} />
}
