import type { ReactNode } from 'react'
import { useText } from '#web/core/i18n.tsx'

interface SuspendedHereProps {
  /** What the page is for. */
  readonly title: string
  /** Where to go instead. */
  readonly children?: ReactNode
}

/** In place of a form that the server would refuse: nobody writes a page of text to learn that. */
export function SuspendedHere({ title, children }: SuspendedHereProps) {
  const { t } = useText()
  return (
    <div className="stray">
      <h1>{title}</h1>
      <p className="quiet">{t('suspended')}</p>
      {children}
    </div>
  )
}
