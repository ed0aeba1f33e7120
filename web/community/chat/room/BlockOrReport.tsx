import { chat } from '#contract/chat.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { api } from '#web/core/api.ts'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import styles from '#web/ui/inputs/Form.module.css'

interface BlockOrReportProps {
  readonly other: ProfileCard
  readonly blocked: boolean
  readonly onBlocked: (blocked: boolean) => void
  /** Opens the report dialog. Null if the user may not report. */
  readonly onReport: (() => void) | null
  readonly open: boolean
  readonly onClose: () => void
}

export function BlockOrReport(props: BlockOrReportProps) {
  const { other, blocked, onBlocked, onReport, open, onClose } = props
  const { t } = useText()
  const { id, userName: username } = other
  const { busy, failure, send } = useSending()
  const block = () =>
    send(async () => {
      onBlocked((await api(blocked ? chat.unblock : chat.block, { id })).blocked)
      onClose()
    })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('blockOrReport', { username })}
      actions={<Button onClick={onClose}>{t('close')}</Button>}
    >
      {failure !== null && (
        <Alert heading={t('error')} focus>
          {failure.text}
        </Alert>
      )}
      <div className={styles.form}>
        <p>{t(blocked ? 'blockedNow' : 'blockWhat', { username })}</p>
        <p>
          <Button
            kind={blocked ? undefined : 'risk'}
            icon="lock"
            busy={busy}
            onClick={() => void block()}
          >
            {t(blocked ? 'unblockPerson' : 'blockPerson', { username })}
          </Button>
        </p>
        {onReport !== null && (
          <>
            <p>{t('reportOneMessage')}</p>
            <p>
              <Button
                icon="flag"
                aria-haspopup="dialog"
                onClick={() => {
                  onClose()
                  onReport()
                }}
              >
                {t('reportSomebody', { username })}
              </Button>
            </p>
          </>
        )}
      </div>
    </Dialog>
  )
}
