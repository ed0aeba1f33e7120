import type { ComponentProps } from 'react'
import { classes } from '#web/ui/classes.ts'

/** Several lines of text. */
export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={4} {...rest} className={classes('input', className)} />
}
