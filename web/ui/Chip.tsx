import type { ComponentPropsWithoutRef, ElementType, ReactNode } from 'react'
import styles from '#web/ui/styles/Chip.module.css'

interface OwnProps<T extends ElementType> {
  readonly as: T
  readonly children: ReactNode
  /** How many there are behind it. */
  readonly count?: string | undefined
  readonly current?: boolean | undefined
  /** Nothing is behind it: dashed, and no link for the keyboard. */
  readonly none?: boolean | undefined
}

type ChipProps<T extends ElementType> = OwnProps<T> &
  Omit<ComponentPropsWithoutRef<T>, keyof OwnProps<T>>

/** One choice of a filter, as a link, so that it works without script and has an address. */
export function Chip<T extends ElementType>(props: ChipProps<T>) {
  const { as, count, current, none, children, ...rest } = props
  const words = (
    <>
      {children}
      {count !== undefined && <small>{count}</small>}
    </>
  )
  if (none) {
    return (
      <a data-chip className={styles.chip} role="link" aria-disabled="true">
        {words}
      </a>
    )
  }
  const Tag: ElementType = as
  return (
    <Tag {...rest} data-chip className={styles.chip} aria-current={current ? 'true' : undefined}>
      {words}
    </Tag>
  )
}
