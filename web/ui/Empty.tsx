import type { ReactNode } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Empty.module.css'

const drawings = {
  shelf: (
    <>
      <path d="M4 66h136M4 70h136M18 66V26h12v40M30 66V18h10v48M108 66l10-42 11 3-10 39M18 34h12M30 28h10M30 56h10" />
      <path d="M52 66V30h14v36M70 66V22h12v44M86 66V34h10v32" strokeDasharray="3 4" />
    </>
  ),
  search: (
    <>
      <circle cx="64" cy="32" r="22" />
      <path d="m80 48 20 18M54 32h20" />
    </>
  ),
  talk: (
    <>
      <path d="M26 8h58v32H48L36 52V40H26zM40 20h30M40 29h20" />
      <path d="M96 26h24v28h-9v10L101 54H66" strokeDasharray="3 4" />
    </>
  ),
  account: (
    <>
      <path d="M28 8h88v56H28zM44 8v56M92 8v56M104 8v56M28 18h88" />
      <path d="M52 30h30M52 42h30M52 54h18" strokeDasharray="3 4" />
    </>
  ),
  tray: (
    <>
      <path d="M20 44h32l7 9h26l7-9h32v22H20z" />
      <path d="M34 44V10h76v34M48 22h44M48 32h30" strokeDasharray="3 4" />
    </>
  ),
  torn: (
    <path d="M72 22C60 14 44 12 24 13v46c20-1 36 1 48 9 12-8 28-10 48-9V13c-20-1-36 1-48 9zM72 22v14l-7 7 12 7-5 18" />
  ),
} as const

interface EmptyProps {
  /**
   * shelf: no items. talk: no messages. account: no points yet. tray: nothing to do. search: no results. torn: an
   * error.
   */
  readonly drawing: keyof typeof drawings
  readonly title: string
  /** The heading's level if the page has no other heading. Default: a paragraph. */
  readonly as?: 'h1' | 'h2' | 'p' | undefined
  readonly className?: string | undefined
  readonly children?: ReactNode
  readonly step?: ReactNode
}

export function Empty({ drawing, title, as: Title = 'p', className, children, step }: EmptyProps) {
  return (
    <div className={classes(styles.empty, className)}>
      <svg className={styles.draw} viewBox="0 0 144 72" aria-hidden="true">
        {drawings[drawing]}
      </svg>
      <Title className={styles.sayIt}>{title}</Title>
      {children !== undefined && <p className="quiet">{children}</p>}
      {step}
    </div>
  )
}
