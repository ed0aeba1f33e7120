import type { ReactNode } from 'react'
import styles from '#web/ui/styles/Menu.module.css'

interface MenuProps {
  /** The id for the opening button's `popoverTarget`. */
  readonly id: string
  readonly label: string
  /** `menu` drops from the header, `sheet` rises from below on small screens. */
  readonly kind?: 'menu' | 'sheet' | undefined
  readonly children: ReactNode
}

/** Uses a native popover, which works before hydration. */
export function Menu({ id, label, kind = 'menu', children }: MenuProps) {
  return (
    <nav
      className={kind === 'sheet' ? styles.sheet : styles.menu}
      id={id}
      popover="auto"
      aria-label={label}
      onClick={(event) => {
        // Client-side navigation does not close the popover by itself.
        if (event.target instanceof Element && event.target.closest('a'))
          event.currentTarget.hidePopover()
      }}
    >
      {children}
    </nav>
  )
}
