import type { ReactNode } from 'react'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Drawer.module.css'
import buttonStyles from '#web/ui/styles/Button.module.css'

interface DrawerProps {
  readonly id: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** Stands in the page on large screens, rises from below on small ones. */
export function Drawer({ id, className, children }: DrawerProps) {
  return (
    <div className={classes(styles.drawer, className)} id={id} popover="auto">
      {children}
    </div>
  )
}

interface DrawerOpenerProps {
  /** The drawer's id. */
  readonly target: string
  readonly children: ReactNode
}

/** The button that opens a drawer; gone where the drawer stands in the page. */
export function DrawerOpener({ target, children }: DrawerOpenerProps) {
  return (
    <button
      type="button"
      className={classes('btn', buttonStyles.btn, styles.opener)}
      popoverTarget={target}
    >
      {children}
      <Icon name="down" />
    </button>
  )
}
