import { identities, type Identity } from '#contract/identities.ts'
import { api } from '#web/core/api.ts'
import { FormDialog } from '#web/core/form/FormDialog.tsx'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'

interface RemoveIdentityDialogProps {
  readonly identity: Identity
  readonly onClose: () => void
}

/** Asks before another site no longer lets one in. */
export function RemoveIdentityDialog({ identity, onClose }: RemoveIdentityDialogProps) {
  const { t } = useText()
  const sending = useSending()
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('identityRemoveAsk', { provider: identity.provider })}
      step={{ label: t('passkeyRemove'), kind: 'risk', icon: 'bin' }}
      sending={sending}
      onSubmit={() =>
        void sending.send(async () => {
          await api(identities.remove, { id: identity.id })
          onClose()
          toast(t('identityRemoved'))
        })
      }
    >
      <p>{t('identityRemoveWhat')}</p>
    </FormDialog>
  )
}
