import type { ComponentPropsWithoutRef, ElementType, ReactNode } from 'react'
import styles from '#web/ui/styles/Chip.module.css'

interface OwnProps<T extends ElementType> {
  readonly as: T
  readonly children: ReactNode
  readonly count?: string | undefined
  readonly current?: boolean | undefined
  /** Nothing matches this choice, so it is not a link. */
  readonly none?: boolean | undefined
}

type ChipProps<T extends ElementType> = OwnProps<T> &
  Omit<ComponentPropsWithoutRef<T>, keyof OwnProps<T>>

/** A choice of a filter. It is a link, so it works without JavaScript and has a URL. */
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
