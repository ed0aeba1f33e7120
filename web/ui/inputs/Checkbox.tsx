import type { ComponentProps, ReactNode } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from './Field.module.css'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'className'> {
  readonly children: ReactNode
  /** Hides the label visually, because the table's column head says the same. */
  readonly bare?: boolean | undefined
}

export function Checkbox({ children, bare, ...rest }: CheckboxProps) {
  return (
    <label className={bare ? undefined : classes('row', styles.choice)}>
      <input type="checkbox" {...rest} className={styles.check} />
      <span className={bare ? 'sr' : undefined}>{children}</span>
    </label>
  )
}
