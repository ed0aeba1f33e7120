import { useState } from 'react'
import * as z from 'zod/mini'
import type { Factors } from '#contract/factors.ts'
import { PasskeyName, PasskeyStart, passkeys } from '#contract/passkeys.ts'
import { CodesDialog } from '#web/people/accounts/factors/CodesDialog.tsx'
import { OwnPasswordField } from '#web/people/accounts/form/PasswordField.tsx'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { FormDialog } from '#web/core/form/FormDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { makePasskey } from '#web/core/passkeys/prove.ts'
import { passkeyWords } from '#web/core/passkeys/words.ts'
import { useSettings } from '#web/core/settings.ts'
import { toast } from '#web/core/toast.ts'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'

const Named = z.extend(PasskeyName, { password: PasskeyStart.shape.password })

interface AddPasskeyDialogProps {
  readonly factors: Factors
  readonly onClose: () => void
}

/** Asks for the password unless a second factor is set up. Shows recovery codes after the first factor. */
export function AddPasskeyDialog({ factors, onClose }: AddPasskeyDialogProps) {
  const { t } = useText()
  const { origin } = useSettings()
  const [codes, setCodes] = useState<readonly string[]>([])
  const isFirst = factors.since === null
  const asks = isFirst && factors.hasPassword
  const f = useAppForm({
    schema: Named,
    defaults: { name: '' },
    labels: { name: t('passkeyName'), ...(asks && { password: t('passwordLabel') }) },
    required: ['name', ...(asks ? (['password'] as const) : [])],
    send: async ({ name, password }) => {
      const options = await api(passkeys.beginAdding, password === undefined ? {} : { password })
      const credential = await makePasskey(options).catch((error: unknown) => {
        throw new ApiError({ status: 0, message: passkeyWords(error, t, origin) })
      })
      const { recoveryCodes } = await api(passkeys.finishAdding, { name, credential })
      toast(t('passkeyAdded'))
      if (recoveryCodes.length === 0) onClose()
      else setCodes(recoveryCodes)
    },
  })
  if (codes.length > 0) return <CodesDialog codes={codes} onClose={onClose} />
  return (
    <FormDialog
      onClose={onClose}
      title={t('passkeyAdd')}
      step={{ label: t('passkeyContinue'), kind: 'main' }}
      form={f}
    >
      {isFirst && <p>{t('passkeyAlone')}</p>}
      <Field label={t('passkeyName')} help={t('passkeyNameHelp')} error={f.errorOf('name')}>
        {(wiring) => <TextInput {...wiring} autoComplete="off" {...f.register('name')} />}
      </Field>
      {asks && <OwnPasswordField error={f.errorOf('password')} {...f.register('password')} />}
    </FormDialog>
  )
}
