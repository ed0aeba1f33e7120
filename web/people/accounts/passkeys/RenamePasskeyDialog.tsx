import { PasskeyName, passkeys, type Passkey } from '#contract/passkeys.ts'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { FormDialog } from '#web/core/form/FormDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'

interface RenamePasskeyDialogProps {
  readonly passkey: Passkey
  readonly onClose: () => void
}

export function RenamePasskeyDialog({ passkey, onClose }: RenamePasskeyDialogProps) {
  const { t } = useText()
  const f = useAppForm({
    schema: PasskeyName,
    defaults: { name: passkey.name },
    labels: { name: t('passkeyName') },
    required: ['name'],
    send: async ({ name }) => {
      await api(passkeys.rename, { id: passkey.id, name })
      onClose()
      toast(t('passkeyRenamed'))
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title={t('passkeyRenameOf', { name: passkey.name })}
      step={{ label: t('passkeyRename'), kind: 'main' }}
      form={f}
    >
      <Field label={t('passkeyName')} help={t('passkeyNameHelp')} error={f.errorOf('name')}>
        {(wiring) => <TextInput {...wiring} autoComplete="off" {...f.register('name')} />}
      </Field>
    </FormDialog>
  )
}
