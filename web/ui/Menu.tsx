import type { ReactNode } from 'react'
import styles from '#web/ui/styles/Menu.module.css'

interface MenuProps {
  /** The button that opens it names it in popoverTarget. */
  readonly id: string
  readonly label: string
  /** menu drops from the header, sheet rises from below on small screens. */
  readonly kind?: 'menu' | 'sheet' | undefined
  readonly children: ReactNode
}

/** Links that open on a press: the browser's popover, which works before any script has come. */
export function Menu({ id, label, kind = 'menu', children }: MenuProps) {
  return (
    <nav
      className={kind === 'sheet' ? styles.sheet : styles.menu}
      id={id}
      popover="auto"
      aria-label={label}
      onClick={(event) => {
        // The page does not reload when one goes on, so nothing else would close it.
        if (event.target instanceof Element && event.target.closest('a'))
          event.currentTarget.hidePopover()
      }}
    >
      {children}
    </nav>
  )
}
