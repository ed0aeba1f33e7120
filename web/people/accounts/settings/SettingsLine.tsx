import type { ReactNode } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/people/accounts/settings/Lines.module.css'

interface SettingsLineProps {
  readonly name: string
  /** Shown beside the name, such as "this device". */
  readonly mark?: string | undefined
  readonly facts: ReactNode
  readonly children: ReactNode
}

export function SettingsLine({ name, mark, facts, children }: SettingsLineProps) {
  return (
    <li>
      <div>
        <p>
          <b dir="auto">{name}</b>
          {mark !== undefined && <span className={styles.ownMark}>{mark}</span>}
        </p>
        <p className={classes('small quiet', styles.words)}>{facts}</p>
      </div>
      {children}
    </li>
  )
}
