import type { ComponentProps } from 'react'
import { type ButtonLook, buttonClass } from '#web/ui/button-look.ts'
import { Coin } from '#web/ui/points/Coin.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'

export interface PlainButtonProps extends ComponentProps<'button'>, ButtonLook {
  readonly icon?: IconName | undefined
  /** Keeps the words, adds a turning ring, and swallows further presses. */
  readonly busy?: boolean | undefined
}

/** A button that never says why it can't be pressed; without hooks, so that it may stand in a piece of a page. */
export function PlainButton(props: PlainButtonProps) {
  const { kind, big, full, icon, busy, className, children, onClick, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ kind, big, full }, className)}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...(busy ? { 'aria-busy': true } : {})}
    >
      {kind === 'pay' && !busy && <Coin dark />}
      {icon && !busy && <Icon name={icon} />}
      {children}
    </button>
  )
}
