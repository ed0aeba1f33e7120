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

/** Part of the page on large screens, and a sheet from below on small ones. */
export function Drawer({ id, className, children }: DrawerProps) {
  return (
    <div className={classes(styles.drawer, className)} id={id} popover="auto">
      {children}
    </div>
  )
}

interface DrawerOpenerProps {
  readonly target: string
  readonly children: ReactNode
}

/** Hidden on large screens, where the drawer is part of the page. */
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
