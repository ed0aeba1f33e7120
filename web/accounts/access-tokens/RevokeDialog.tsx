import { useState } from 'react'
import { accessTokens, type AccessToken } from '#contract/access-tokens.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'

interface RevokeDialogProps {
  readonly token: AccessToken
  readonly onClose: () => void
  readonly onRevoked: () => void
}

/** Asks before a token goes. One that is gone already was revoked elsewhere, which is what was asked for. */
export function RevokeDialog({ token, onClose, onRevoked }: RevokeDialogProps) {
  const { t } = useText()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<{ readonly text: string } | null>(null)

  async function revoke(): Promise<void> {
    setBusy(true)
    setRefusal(null)
    try {
      await api(accessTokens.revoke, { id: token.id }).catch(passIfGone)
      onRevoked()
      toast(t('tokenRevokeDone'))
    } catch (error) {
      setRefusal({ text: error instanceof ApiError ? error.message : t('somethingWrong') })
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('tokenRevokeAsk', { name: token.name })}
      actions={
        <>
          <Button kind="risk" icon="bin" busy={busy} onClick={() => void revoke()}>
            {t('tokenRevoke')}
          </Button>{' '}
          <Button onClick={onClose}>{t('notNow')}</Button>
        </>
      }
    >
      <p>{t('tokenRevokeWhat')}</p>
      {refusal !== null && <Alert heading={t('error')}>{refusal.text}</Alert>}
    </Dialog>
  )
}

function passIfGone(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 404) throw error
}
