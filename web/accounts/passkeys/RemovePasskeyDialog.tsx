import { useState } from 'react'
import type { Factors } from '#contract/factors.ts'
import { passkeys, type Passkey } from '#contract/passkeys.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'

interface RemovePasskeyDialogProps {
  readonly passkey: Passkey
  readonly factors: Factors
  readonly onClose: () => void
}

/** Asks before a passkey goes, and says what goes with the last one; whether it is really them, the call asks by itself. */
export function RemovePasskeyDialog({ passkey, factors, onClose }: RemovePasskeyDialogProps) {
  const { t } = useText()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<{ readonly text: string } | null>(null)
  const isLast = !factors.app && factors.passkeys === 1

  async function remove(): Promise<void> {
    setBusy(true)
    setRefusal(null)
    try {
      await api(passkeys.remove, { id: passkey.id })
      void import('#web/core/passkeys/signal.ts').then(({ signalPasskeys }) => signalPasskeys())
      onClose()
      toast(t('passkeyRemoved'))
    } catch (error) {
      setRefusal({ text: error instanceof ApiError ? error.message : t('somethingWrong') })
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('passkeyRemoveAsk', { name: passkey.name })}
      actions={
        <>
          <Button kind="risk" icon="bin" busy={busy} onClick={() => void remove()}>
            {t('passkeyRemove')}
          </Button>{' '}
          <Button onClick={onClose}>{t('notNow')}</Button>
        </>
      }
    >
      <p>{t('passkeyRemoveWhat')}</p>
      {isLast && <p>{t('passkeyLastRemove')}</p>}
      {isLast && factors.demandedOf !== null && (
        <p>
          <b>
            {t(factors.demandedOf === 'all' ? 'factorDemandedOfAllRemove' : 'factorDemandedRemove')}
          </b>
        </p>
      )}
      {refusal !== null && <Alert heading={t('error')}>{refusal.text}</Alert>}
    </Dialog>
  )
}
