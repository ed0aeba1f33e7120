import type { ComponentProps } from 'react'
import { classes } from '#web/ui/classes.ts'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import styles from '#web/ui/styles/IconButton.module.css'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  readonly icon: IconName
  /** The accessible name. */
  readonly label: string
  /** Adds a border. */
  readonly edge?: boolean | undefined
  /** For toggle buttons. */
  readonly pressed?: boolean | undefined
}

/** A disabled one ignores presses but keeps the focus, as Button does. */
export function IconButton({ icon, label, edge, pressed, className, ...props }: IconButtonProps) {
  const { disabled, onClick, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      className={classes(styles.iconBtn, edge && styles.edge, className)}
      aria-label={label}
      aria-pressed={pressed}
      onClick={disabled ? undefined : onClick}
      {...(disabled ? { 'aria-disabled': true } : {})}
    >
      <Icon name={icon} />
    </button>
  )
}
