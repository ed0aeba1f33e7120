import { useState } from 'react'
import * as z from 'zod/mini'
import { accounts, PasswordChange } from '#contract/accounts.ts'
import { PASSWORD } from '#contract/limits.ts'
import { OwnPasswordField, PasswordField } from '#web/people/accounts/form/PasswordField.tsx'
import { SettingsSection } from '#web/people/accounts/settings/SettingsSection.tsx'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { SubmitButton } from '#web/core/form/SubmitButton.tsx'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'

/** Adds the repetition, which is not sent to the server. */
const Repeated = z.extend(PasswordChange, { rePassword: z.string({ error: 'enterPassword' }) })

const empty = { password: '', newPassword: '', rePassword: '' }

export function PasswordForm() {
  const { t } = useText()
  const f = useAppForm({
    schema: Repeated,
    defaults: empty,
    labels: {
      password: t('oldPasswordLabel'),
      newPassword: t('newPasswordLabel'),
      rePassword: t('rePasswordLabel'),
    },
    required: ['password', 'newPassword', 'rePassword'],
    repeats: { field: 'rePassword', of: 'newPassword', error: 'passwordsDiffer' },
    send: async ({ password, newPassword }) => {
      await api(accounts.changePassword, { password, newPassword })
      f.form.reset(empty)
      setRepeated(false)
      toast(t('passwordChanged'))
    },
  })
  const { form, register, errorOf } = f
  const [repeated, setRepeated] = useState(false)
  return (
    <SettingsSection
      id="new-password"
      title={t('passwordTitle')}
      lead={[t('passwordLead')]}
      actions={<SubmitButton form={f}>{t('passwordSubmit')}</SubmitButton>}
      onSubmit={f.onSubmit}
    >
      <FormAlert alert={f.alert} />
      <OwnPasswordField
        label={t('oldPasswordLabel')}
        error={errorOf('password')}
        {...register('password')}
      />
      <PasswordField
        label={t('newPasswordLabel')}
        help={t('passwordHelp', { min: PASSWORD.min })}
        error={errorOf('newPassword')}
        autoComplete="new-password"
        {...register('newPassword', {
          onChange: () => {
            if (repeated) void form.trigger('rePassword')
          },
        })}
      />
      <PasswordField
        label={t('rePasswordLabel')}
        error={errorOf('rePassword')}
        autoComplete="new-password"
        {...register('rePassword', { onBlur: () => setRepeated(true) })}
      />
    </SettingsSection>
  )
}
