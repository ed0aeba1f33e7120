import type { ComponentPropsWithoutRef, ElementType } from 'react'
import styles from './Book.module.css'

interface OwnProps<T extends ElementType> {
  readonly as: T
  /** The word one sees: "Details". */
  readonly children: string
  /** The item's title, heard after it, so that twenty links don't sound alike. */
  readonly title: string
}

type CardLinkProps<T extends ElementType> = OwnProps<T> &
  Omit<ComponentPropsWithoutRef<T>, keyof OwnProps<T>>

/** The one link of a card, stretched over all of it. */
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
