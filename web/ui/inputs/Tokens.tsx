import type { ComponentProps } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from './Tokens.module.css'
import fieldStyles from './Field.module.css'

/** An input that holds chips: Token for each, then a bare <input>. */
export function Tokens({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classes(fieldStyles.input, styles.tokens, className)} />
}
