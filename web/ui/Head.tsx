import type { ReactNode } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Head.module.css'

interface HeadProps {
  readonly title: string
  readonly as?: 'h1' | 'h2' | undefined
  readonly id?: string | undefined
  readonly className?: string | undefined
  /** A link or a count after the title. */
  readonly children?: ReactNode
  /** What stands at the end of the line: arrows, Clear. */
  readonly end?: ReactNode
}

/** The line above a list. */
export function Head({ title, as: Title = 'h2', id, className, children, end }: HeadProps) {
  return (
    <div className={classes(styles.head, className)}>
      <Title id={id}>{title}</Title>
      {children}
      {end !== undefined && <div className={styles.end}>{end}</div>}
    </div>
  )
}
