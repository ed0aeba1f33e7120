import { useId } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'

interface LinkDialogProps {
  readonly link: string
  readonly onClose: () => void
}

/** Shows the link of an invitation, which the server reveals only once. */
export function LinkDialog({ link, onClose }: LinkDialogProps) {
  const { t } = useText()
  const id = useId()
  const copy = async () => {
    // If the browser forbids it, the user can copy from the field.
    await navigator.clipboard.writeText(link).then(
      () => toast(t('invitationCopied')),
      () => document.querySelector<HTMLInputElement>(`#${CSS.escape(id)}`)?.select(),
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('invitationLinkTitle')}
      actions={
        <>
          <Button kind="main" onClick={() => void copy()}>
            {t('tokenCopy')}
          </Button>{' '}
          <Button onClick={onClose}>{t('invitationLinkDone')}</Button>
        </>
      }
    >
      <p>{t('invitationLinkText')}</p>
      <label className="small quiet" htmlFor={id}>
        {t('invitationLink')}
      </label>
      <TextInput id={id} readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
    </Dialog>
  )
}
