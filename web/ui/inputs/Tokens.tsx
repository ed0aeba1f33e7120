import type { ComponentProps } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from './Tokens.module.css'
import fieldStyles from './Field.module.css'

/** Contains Token elements, then an <input>. */
export function Tokens({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classes(fieldStyles.input, styles.tokens, className)} />
}
