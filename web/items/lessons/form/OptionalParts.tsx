import { type ReactNode, useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import styles from './OptionalParts.module.css'

interface OptionalPartsProps {
  /** True when a field has a value; the part then starts open. */
  readonly isFilled: boolean
  /** True when a field has an error; the part then opens to show it. */
  readonly isRefused: boolean
  readonly children: ReactNode
}

/** Folds the optional fields of a lesson. */
export function OptionalParts({ isFilled, isRefused, children }: OptionalPartsProps) {
  const { t } = useText()
  const [isOpen, setOpen] = useState(isFilled)
  return (
    <details
      className={styles.parts}
      open={isOpen || isRefused}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{t('lessonOptional')}</summary>
      {children}
    </details>
  )
}
