import type { ComponentProps } from 'react'
import { classes } from '#web/ui/classes.ts'

/** The machine's own list: it works on every phone and with every reader. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...rest} className={classes('input', className)} />
}
