import { useId } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'

interface SecretDialogProps {
  readonly secret: string
  readonly onClose: () => void
}

/** The server reveals the secret only once. */
export function SecretDialog({ secret, onClose }: SecretDialogProps) {
  const { t } = useText()
  const id = useId()
  const copy = async () => {
    // If the browser forbids it, the user can copy from the field.
    await navigator.clipboard.writeText(secret).then(
      () => toast(t('webhookSecretCopied')),
      () => document.querySelector<HTMLInputElement>(`#${CSS.escape(id)}`)?.select(),
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('webhookSecretTitle')}
      actions={
        <>
          <Button kind="main" onClick={onClose}>
            {t('webhookSecretDone')}
          </Button>{' '}
          <Button onClick={() => void copy()}>{t('webhookSecretCopy')}</Button>
        </>
      }
    >
      <p>{t('webhookSecretText')}</p>
      <label className="small quiet" htmlFor={id}>
        {t('webhookSecret')}
      </label>
      <TextInput
        id={id}
        readOnly
        value={secret}
        onFocus={(event) => event.currentTarget.select()}
      />
    </Dialog>
  )
}
