import { type ComponentProps, type ReactNode, useId } from 'react'
import { type ButtonLook, buttonClass } from '#web/ui/button-look.ts'
import { Coin } from '#web/ui/points/Coin.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/inputs/Field.module.css'

interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  readonly icon?: IconName | undefined
  /** Keeps the words, adds a turning ring, and swallows further presses. */
  readonly busy?: boolean | undefined
  /**
   * Why it can't be pressed; shown under it when it is `disabled`. Of a button that may be pressed until the script has
   * come it takes its room already, so that nothing moves then.
   */
  readonly reason?: ReactNode
}

/**
 * Says a verb; a pay button says the number too. A disabled one swallows presses and keeps the focus: `disabled` itself
 * would take it from whoever has just pressed it.
 */
export function Button(props: ButtonProps) {
  const { kind, big, full, icon, busy, disabled, reason, className, children, onClick, ...rest } =
    props
  const reasonId = useId()
  const says = reason !== undefined && disabled === true
  return (
    <>
      <button
        type="button"
        {...rest}
        className={buttonClass({ kind, big, full }, className)}
        data-kind={kind ?? 'plain'}
        onClick={busy || disabled ? (event) => event.preventDefault() : onClick}
        {...(disabled ? { 'aria-disabled': true } : {})}
        {...(busy ? { 'aria-busy': true } : {})}
        {...(says ? { 'aria-describedby': reasonId } : {})}
      >
        {kind === 'pay' && !busy && <Coin dark />}
        {icon && !busy && <Icon name={icon} />}
        {children}
      </button>
      {reason !== undefined && ' '}
      {reason !== undefined && (
        <p
          data-reason
          className={says ? styles.help : classes(styles.help, styles.unsaid)}
          id={reasonId}
        >
          {reason}
        </p>
      )}
    </>
  )
}
