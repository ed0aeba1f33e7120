import type { ComponentProps } from 'react'
import { classes } from '#web/ui/classes.ts'

/** An article. Always pass the text's `lang`, because the font's Bulgarian letterforms depend on it. */
export function Prose({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classes('prose', className)} />
}
