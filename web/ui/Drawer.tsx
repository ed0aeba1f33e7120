import type { ReactNode } from 'react'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'

interface DrawerProps {
  readonly id: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** Stands in the page on large screens, rises from below on small ones. */
export function Drawer({ id, className, children }: DrawerProps) {
  return (
    <div className={classes('drawer', className)} id={id} popover="auto">
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
    <button type="button" className="btn opener" popoverTarget={target}>
      {children}
      <Icon name="down" />
    </button>
  )
}
