import type { ComponentPropsWithoutRef, ElementType, ReactNode } from 'react'
import { type ButtonLook, buttonClass } from '#web/ui/button-look.ts'
import { Coin } from '#web/ui/points/Coin.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'

interface OwnProps<T extends ElementType> extends ButtonLook {
  /** 'a' or the router's link, which web/ui may not import. */
  readonly as: T
  readonly icon?: IconName | undefined
  readonly className?: string | undefined
  readonly children: ReactNode
}

type ButtonLinkProps<T extends ElementType> = OwnProps<T> &
  Omit<ComponentPropsWithoutRef<T>, keyof OwnProps<T>>

export function ButtonLink<T extends ElementType>(props: ButtonLinkProps<T>) {
  const { as, kind, big, full, icon, className, children, ...rest } = props
  const Tag: ElementType = as
  return (
    <Tag
      {...rest}
      className={buttonClass({ kind, big, full }, className)}
      data-kind={kind ?? 'plain'}
    >
      {kind === 'pay' && <Coin dark />}
      {icon && <Icon name={icon} />}
      {children}
    </Tag>
  )
}
