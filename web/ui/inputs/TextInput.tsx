import type { ComponentProps } from 'react'
import { classes } from '#web/ui/classes.ts'

/** One line of text. */
export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input type="text" {...rest} className={classes('input', className)} />
}
