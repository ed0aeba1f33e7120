import { webhooks, type WebhookEndpoint } from '#contract/webhooks.ts'
import { api } from '#web/core/api.ts'
import { FormDialog } from '#web/core/form/FormDialog.tsx'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'

interface AskDialogProps {
  readonly act: 'renew' | 'remove'
  readonly endpoint: WebhookEndpoint
  readonly onClose: () => void
  /** With the new secret. */
  readonly onDone: (secret: string | null) => void
}

/** Asks before a secret is replaced, or a webhook goes: neither can be undone. */
export function AskDialog({ act, endpoint, onClose, onDone }: AskDialogProps) {
  const { t } = useText()
  const sending = useSending()
  const isRemoval = act === 'remove'
  const submit = () =>
    sending.send(async () => {
      if (isRemoval) {
        await api(webhooks.remove, { id: endpoint.id })
        toast(t('webhookRemoved'))
        onDone(null)
      } else onDone((await api(webhooks.renewSecret, { id: endpoint.id })).secret)
    })
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t(isRemoval ? 'webhookRemoveTitle' : 'webhookNewTitle')}
      step={{
        label: t(isRemoval ? 'webhookRemove' : 'webhookNew'),
        kind: isRemoval ? 'risk' : 'main',
        icon: isRemoval ? 'bin' : 'retry',
      }}
      form={{
        alert: sending.failure,
        busy: sending.busy,
        onSubmit: (event) => {
          event.preventDefault()
          void submit()
        },
      }}
    >
      <p dir="auto">{endpoint.description}</p>
      <p>{t(isRemoval ? 'webhookRemoveText' : 'webhookNewText')}</p>
    </FormDialog>
  )
}
