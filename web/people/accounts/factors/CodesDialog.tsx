import { RecoveryCodes, saveCodes } from '#web/people/accounts/factors/RecoveryCodes.tsx'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'

interface CodesDialogProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** The server reveals recovery codes only once. */
export function CodesDialog({ codes, onClose }: CodesDialogProps) {
  const { t } = useText()
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('factorCodesTitle')}
      actions={
        <>
          <Button kind="main" onClick={onClose}>
            {t('factorCodesStored')}
          </Button>{' '}
          <Button onClick={() => saveCodes(codes)}>{t('factorCodesSave')}</Button>
        </>
      }
    >
      <RecoveryCodes codes={codes} />
    </Dialog>
  )
}
