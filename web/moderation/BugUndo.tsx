import type { BugReport } from '#contract/mail.ts'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import styles from '#web/moderation/desk/Desk.module.css'
import toastStyles from '#web/ui/styles/Toast.module.css'

interface BugUndoProps {
  readonly last: BugReport | null
  readonly busy: boolean
  readonly onUndo: () => void
  readonly onClose: () => void
}

/** Says what was marked last, until it is taken back or closed. */
export function BugUndo({ last, busy, onUndo, onClose }: BugUndoProps) {
  const { t } = useText()
  return (
    <section className={styles.undoLine} aria-label={t('bugsUndoLabel')} role="status">
      {last !== null && (
        <div className={toastStyles.toast}>
          <Icon name={last.done === null ? 'undo' : 'check'} />
          <p>{t(last.done === null ? 'bugsReopened' : 'bugsFinished', { topic: last.topic })}</p>
          <Button kind="bare" busy={busy} onClick={onUndo}>
            {t('undo')}
          </Button>
          <IconButton icon="x" label={t('close')} onClick={onClose} />
        </div>
      )}
    </section>
  )
}
