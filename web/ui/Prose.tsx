import type { ComponentProps } from 'react'
import { classes } from '#web/ui/classes.ts'

/** Running text in reading type. Always give the text's own `lang`: Bulgarian letters hang on it. */
export function Prose({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classes('prose', className)} />
}
