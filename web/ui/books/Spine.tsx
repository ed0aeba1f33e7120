import type { ComponentPropsWithoutRef, ElementType } from 'react'
import { clothIndex, type Seed, spineSteps } from '#contract/dyes.ts'
import { classes } from '#web/ui/classes.ts'
import styles from './Shelf.module.css'

interface OwnProps<T extends ElementType> {
  readonly as: T
  readonly seed: Seed
  readonly title: string
  /** How far along the row this spine is, from 0 to 1. Spines rise along it. */
  readonly rise?: number | undefined
  /** One line at each end instead of two. */
  readonly plain?: boolean | undefined
}

type SpineProps<T extends ElementType> = OwnProps<T> &
  Omit<ComponentPropsWithoutRef<T>, keyof OwnProps<T>>

/** A lesson on the shelf, at least as tall as its title. */
export function Spine<T extends ElementType>({
  as,
  seed,
  title,
  rise,
  plain,
  ...rest
}: SpineProps<T>) {
  const Tag: ElementType = as
  const { height, width, type } = spineSteps(seed, title, rise)
  const size = `cloth-${clothIndex(seed)} tall-${height} thick-${width} type-${type}`
  return (
    <Tag {...rest} className={classes(styles.spine, plain && styles.plain, size)}>
      <span dir="auto">{title}</span>
    </Tag>
  )
}
