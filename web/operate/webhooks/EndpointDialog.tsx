import { useId } from 'react'
import { WEBHOOK_TEXT } from '#contract/limits.ts'
import { WebhookDraft, WEBHOOK_EVENTS, webhooks, type WebhookEndpoint } from '#contract/webhooks.ts'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { FormDialog } from '#web/core/form/FormDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { EVENT_WORDS } from '#web/operate/webhooks/event-words.ts'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import styles from './Webhooks.module.css'
import fieldStyles from '#web/ui/inputs/Field.module.css'

interface EndpointDialogProps {
  /** Null for a new one. */
  readonly endpoint: WebhookEndpoint | null
  readonly onClose: () => void
  /** The secret is null unless the endpoint is new. */
  readonly onDone: (secret: string | null) => void
}

export function EndpointDialog({ endpoint, onClose, onDone }: EndpointDialogProps) {
  const { t } = useText()
  const id = useId()
  const { url = '', description = '', events = [], enabled = true } = endpoint ?? {}
  const f = useAppForm({
    schema: WebhookDraft,
    defaults: { url, description, events: [...events], enabled },
    labels: {
      url: t('webhookUrl'),
      description: t('webhookDescription'),
      events: t('webhookEvents'),
    },
    required: ['url', 'description', 'events'],
    send: async (values) => {
      if (endpoint === null) {
        const { secret } = await api(webhooks.create, values)
        toast(t('webhookAdded'))
        onDone(secret)
      } else {
        await api(webhooks.edit, { ...values, id: endpoint.id })
        toast(t('webhookChanged'))
        onDone(null)
      }
    },
  })
  const { errorOf, register, countOf } = f
  const eventsError = errorOf('events')
  return (
    <FormDialog
      onClose={onClose}
      title={t(endpoint === null ? 'webhookAddTitle' : 'webhookEditTitle')}
      step={{ label: t(endpoint === null ? 'webhookAdd' : 'webhookSave'), kind: 'main' }}
      form={f}
    >
      <Field label={t('webhookUrl')} help={t('webhookUrlHelp')} error={errorOf('url')}>
        {(wiring) => (
          <TextInput {...wiring} required type="url" autoComplete="off" {...register('url')} />
        )}
      </Field>
      <Field
        label={t('webhookDescription')}
        help={t('webhookDescriptionHelp', { ...WEBHOOK_TEXT })}
        error={errorOf('description')}
        {...countOf('description', WEBHOOK_TEXT)}
      >
        {(wiring) => (
          <TextInput
            {...wiring}
            required
            dir="auto"
            autoComplete="off"
            {...register('description')}
          />
        )}
      </Field>
      <fieldset className={styles.webhookChoice} aria-describedby={eventsError && `${id}-events`}>
        <legend>{t('webhookEvents')}</legend>
        {WEBHOOK_EVENTS.map((event) => (
          <Checkbox
            key={event}
            value={event}
            defaultChecked={events.includes(event)}
            {...f.form.register('events')}
          >
            {t(EVENT_WORDS[event])}
          </Checkbox>
        ))}
        {eventsError !== undefined && (
          <p id={`${id}-events`} data-error className={fieldStyles.error}>
            {eventsError}
          </p>
        )}
      </fieldset>
      <Checkbox {...register('enabled')}>{t('webhookEnabled')}</Checkbox>
    </FormDialog>
  )
}
