import type { ReactNode } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Head.module.css'

interface HeadProps {
  readonly title: string
  readonly as?: 'h1' | 'h2' | undefined
  readonly id?: string | undefined
  readonly className?: string | undefined
  readonly children?: ReactNode
  /** Placed at the end of the line, such as arrows. */
  readonly end?: ReactNode
}

export function Head({ title, as: Title = 'h2', id, className, children, end }: HeadProps) {
  return (
    <div className={classes(styles.head, className)}>
      <Title id={id}>{title}</Title>
      {children}
      {end !== undefined && <div className={styles.end}>{end}</div>}
    </div>
  )
}
