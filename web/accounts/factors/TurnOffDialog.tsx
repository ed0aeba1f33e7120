import { useState } from 'react'
import { factors, type Factors } from '#contract/factors.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'

interface TurnOffDialogProps {
  readonly factors: Factors
  readonly onClose: () => void
}

/** Asks before the second factor goes; whether it is really them, the call asks by itself. */
export function TurnOffDialog({ factors: stored, onClose }: TurnOffDialogProps) {
  const { t } = useText()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<{ readonly text: string } | null>(null)

  async function turnOff(): Promise<void> {
    setBusy(true)
    setRefusal(null)
    try {
      await api(factors.removeTotp, {})
      onClose()
      toast(t('factorOffDone'))
    } catch (error) {
      setRefusal({ text: error instanceof ApiError ? error.message : t('somethingWrong') })
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('factorOffAsk')}
      actions={
        <>
          <Button kind="risk" busy={busy} onClick={() => void turnOff()}>
            {t('factorOff')}
          </Button>{' '}
          <Button onClick={onClose}>{t('notNow')}</Button>
        </>
      }
    >
      <p>{stored.passkeys > 0 ? t('factorAppOffWhat') : t('factorOffWhat')}</p>
      {stored.passkeys === 0 && stored.demandedOf !== null && (
        <p>
          <b>
            {t(stored.demandedOf === 'all' ? 'factorDemandedOfAllRemove' : 'factorDemandedRemove')}
          </b>
        </p>
      )}
      {refusal !== null && <Alert heading={t('error')}>{refusal.text}</Alert>}
    </Dialog>
  )
}
