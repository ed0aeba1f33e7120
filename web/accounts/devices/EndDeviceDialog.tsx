import { useState } from 'react'
import { sessions, type SignIn } from '#contract/sessions.ts'
import { nameDevice } from '#web/accounts/devices/device-name.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'

interface EndDeviceDialogProps {
  readonly device: SignIn
  readonly onClose: () => void
  readonly onEnded: () => void
}

/** Asks before another device is signed out. One that is out already is what was asked for. */
export function EndDeviceDialog({ device, onClose, onEnded }: EndDeviceDialogProps) {
  const { t } = useText()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<{ readonly text: string } | null>(null)
  const name = nameDevice(device, t)

  async function end(): Promise<void> {
    setBusy(true)
    setRefusal(null)
    try {
      await api(sessions.end, { id: device.id }).catch(passIfGone)
      onEnded()
      toast(t('devicesEndDone', { device: name }))
    } catch (error) {
      setRefusal({ text: error instanceof ApiError ? error.message : t('somethingWrong') })
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('devicesEndAsk', { device: name })}
      actions={
        <>
          <Button kind="risk" icon="out" busy={busy} onClick={() => void end()}>
            {t('devicesEnd')}
          </Button>{' '}
          <Button onClick={onClose}>{t('notNow')}</Button>
        </>
      }
    >
      <p>{t('devicesEndWhat')}</p>
      {refusal !== null && <Alert heading={t('error')}>{refusal.text}</Alert>}
    </Dialog>
  )
}

function passIfGone(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 404) throw error
}
