import type { ReactNode } from 'react'

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
  torn: (
    <path d="M72 22C60 14 44 12 24 13v46c20-1 36 1 48 9 12-8 28-10 48-9V13c-20-1-36 1-48 9zM72 22v14l-7 7 12 7-5 18" />
  ),
} as const

interface EmptyProps {
  /** shelf: nothing here yet. search: nothing found. torn: it failed. */
  readonly drawing: keyof typeof drawings
  readonly title: string
  /** The heading's level where the page has no other; else a paragraph. */
  readonly as?: 'h1' | 'h2' | 'p' | undefined
  readonly children?: ReactNode
  /** One next step. */
  readonly step?: ReactNode
}

/** Nothing to show: one drawing, one sentence, one step. */
export function Empty({ drawing, title, as: Title = 'p', children, step }: EmptyProps) {
  return (
    <div className="empty">
      <svg className="draw" viewBox="0 0 144 72" aria-hidden="true">
        {drawings[drawing]}
      </svg>
      <Title className="say-it">{title}</Title>
      {children !== undefined && <p className="quiet">{children}</p>}
      {step}
    </div>
  )
}
