import type { ReactNode } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/accounts/settings/Lines.module.css'

interface SettingsLineProps {
  readonly name: string
  /** Beside the name: which of them this is. */
  readonly mark?: string | undefined
  /** Times and the like. */
  readonly facts: ReactNode
  /** What can be done with it. */
  readonly children: ReactNode
}

/** One of several things that a person has: a device, a token, a passkey, an account elsewhere. */
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
