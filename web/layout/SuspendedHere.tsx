import type { ReactNode } from 'react'
import { useText } from '#web/core/i18n.tsx'

interface SuspendedHereProps {
  readonly title: string
  readonly children?: ReactNode
}

/** Replaces a form that the server would refuse, before the user fills it in. */
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
