import type { ComponentPropsWithoutRef, ElementType } from 'react'
import styles from './Book.module.css'

interface OwnProps<T extends ElementType> {
  readonly as: T
  /** The visible text, such as "Details". */
  readonly children: string
  /** Read after the visible text, so that screen readers can tell the links apart. */
  readonly title: string
}

type CardLinkProps<T extends ElementType> = OwnProps<T> &
  Omit<ComponentPropsWithoutRef<T>, keyof OwnProps<T>>

export function CardLink<T extends ElementType>({
  as,
  title,
  children,
  ...rest
}: CardLinkProps<T>) {
  const Tag: ElementType = as
  return (
    <Tag {...rest} data-more className={styles.more}>
      {children}
      <span className="sr">{`: ${title}`}</span>
    </Tag>
  )
}
