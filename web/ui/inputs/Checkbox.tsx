import type { ComponentProps, ReactNode } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from './Field.module.css'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'className'> {
  readonly children: ReactNode
  /** The words are for readers only: a table's column already says them. */
  readonly bare?: boolean | undefined
}

/** A tick with its words. */
export function Checkbox({ children, bare, ...rest }: CheckboxProps) {
  return (
    <label className={bare ? undefined : classes('row', styles.choice)}>
      <input type="checkbox" {...rest} className={styles.check} />
      <span className={bare ? 'sr' : undefined}>{children}</span>
    </label>
  )
}
