import { type ComponentProps, type MouseEvent, type ReactNode, useId, useState } from 'react'
import { type ButtonLook, buttonClass } from '#web/ui/button-look.ts'
import { Coin } from '#web/ui/points/Coin.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/inputs/Field.module.css'

interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  readonly icon?: IconName | undefined
  /** Shows a spinner and ignores presses. */
  readonly busy?: boolean | undefined
  /** Why the button is disabled. Shown below it. */
  readonly reason?: ReactNode
  /** Like `reason`, but shown only after a press on the disabled button. Its space is reserved, so nothing moves. */
  readonly missing?: ReactNode
}

/** A disabled button uses `aria-disabled` and ignores presses, because `disabled` would take the focus from it. */
export function Button(props: ButtonProps) {
  const { kind, big, full, icon, busy, disabled, className, children, onClick, ...others } = props
  const { reason, missing, ...rest } = others
  const reasonId = useId()
  const [isPressed, setPressed] = useState(false)
  const text = reason ?? missing
  const says = disabled === true && (reason !== undefined || (isPressed && missing !== undefined))
  const refuse = (event: MouseEvent) => {
    event.preventDefault()
    if (disabled) setPressed(true)
  }
  return (
    <>
      <button
        type="button"
        {...rest}
        className={buttonClass({ kind, big, full }, className)}
        data-kind={kind ?? 'plain'}
        onClick={busy || disabled ? refuse : onClick}
        {...(disabled ? { 'aria-disabled': true } : {})}
        data-missing={(disabled && missing !== undefined) || undefined}
        {...(busy ? { 'aria-busy': true } : {})}
        {...(says ? { 'aria-describedby': reasonId } : {})}
      >
        {kind === 'pay' && !busy && <Coin dark />}
        {icon && !busy && <Icon name={icon} />}
        {children}
      </button>
      {text !== undefined && ' '}
      {text !== undefined && (
        <p
          data-reason
          role={isPressed ? 'status' : undefined}
          className={says ? styles.help : classes(styles.help, styles.unsaid)}
          id={reasonId}
        >
          {text}
        </p>
      )}
    </>
  )
}
