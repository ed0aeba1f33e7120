import type { ReactNode } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import styles from './Desk.module.css'

interface BulkBarProps {
  readonly count: number
  readonly onClear: () => void
  readonly children: ReactNode
}

/** Stays visible while the user scrolls. */
export function BulkBar({ count, onClear, children }: BulkBarProps) {
  const { t } = useText()
  return (
    <>
      <p className="sr" role="status">
        {count > 0 && t('deskSelected', { count })}
      </p>
      {count > 0 && (
        <section className={styles.bulk} aria-label={t('deskSelection')}>
          <b className="num">{t('deskSelected', { count })}</b>
          {children}
          <Button onClick={onClear}>{t('clear')}</Button>
        </section>
      )}
    </>
  )
}
