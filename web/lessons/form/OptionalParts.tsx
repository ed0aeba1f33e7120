import { type ReactNode, useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import styles from './OptionalParts.module.css'

interface OptionalPartsProps {
  /** One of the fields has something: it starts open. */
  readonly isFilled: boolean
  /** One of the fields has an error, which must be seen. */
  readonly isRefused: boolean
  readonly children: ReactNode
}

/** The fields that a lesson can do without, folded. */
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
