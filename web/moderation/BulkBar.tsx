import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'

interface BulkBarProps {
  readonly count: number
  /** What is done is bringing back. */
  readonly deleted: boolean
  readonly busy: boolean
  readonly onAct: () => void
  readonly onClear: () => void
}

/** What can be done with all that is selected; stays in sight while one scrolls. */
export function BulkBar({ count, deleted, busy, onAct, onClear }: BulkBarProps) {
  const { t } = useText()
  return (
    <>
      <p className="sr" role="status">
        {count > 0 && t('deskSelected', { count })}
      </p>
      {count > 0 && (
        <section className="bulk" aria-label={t('deskSelection')}>
          <b className="num">{t('deskSelected', { count })}</b>
          <Button icon={deleted ? 'undo' : 'bin'} busy={busy} onClick={onAct}>
            {t(deleted ? 'deskRestoreMany' : 'deskDeleteMany', { count })}
          </Button>
          <Button onClick={onClear}>{t('clear')}</Button>
        </section>
      )}
    </>
  )
}
