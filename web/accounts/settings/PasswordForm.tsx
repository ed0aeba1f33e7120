import { useState } from 'react'
import * as z from 'zod/mini'
import { accounts, PasswordChange } from '#contract/accounts.ts'
import { PASSWORD } from '#contract/limits.ts'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { SubmitButton } from '#web/core/form/SubmitButton.tsx'
import { useText } from '#web/core/i18n.tsx'
import { useSession } from '#web/core/session.ts'
import { toast } from '#web/core/toast.ts'
import { Field } from '#web/ui/inputs/Field.tsx'
import { PasswordInput } from '#web/ui/inputs/PasswordInput.tsx'
import styles from '#web/ui/inputs/Form.module.css'

/** The call's schema and the repetition, which never leaves the browser. */
const Repeated = z.extend(PasswordChange, { rePassword: z.string({ error: 'enterPassword' }) })

const empty = { password: '', newPassword: '', rePassword: '' }

/**
 * Changing the password: the old one, the new one, the new one again. It is long because it is the list of its fields.
 */
export function PasswordForm() {
  const { t } = useText()
  const person = useSession()
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
  const eye = { showLabel: t('showPassword'), hideLabel: t('hidePassword') }
  return (
    <form
      className={styles.form}
      method="post"
      aria-labelledby="new-password"
      onSubmit={f.onSubmit}
      noValidate
    >
      <div>
        <h2 id="new-password">{t('passwordTitle')}</h2>
        <p className="quiet">{t('passwordLead')}</p>
      </div>
      <FormAlert alert={f.alert} />
      {/* For password managers: whose password this is. */}
      <input type="hidden" autoComplete="username" value={person?.username ?? ''} readOnly />
      <Field label={t('oldPasswordLabel')} error={errorOf('password')}>
        {(wiring) => (
          <PasswordInput
            {...wiring}
            {...eye}
            autoComplete="current-password"
            {...register('password')}
          />
        )}
      </Field>
      <Field
        label={t('newPasswordLabel')}
        help={t('passwordHelp', { min: PASSWORD.min })}
        error={errorOf('newPassword')}
      >
        {(wiring) => (
          <PasswordInput
            {...wiring}
            {...eye}
            autoComplete="new-password"
            {...register('newPassword', {
              onChange: () => {
                if (repeated) void form.trigger('rePassword')
              },
            })}
          />
        )}
      </Field>
      <Field label={t('rePasswordLabel')} error={errorOf('rePassword')}>
        {(wiring) => (
          <PasswordInput
            {...wiring}
            {...eye}
            autoComplete="new-password"
            {...register('rePassword', { onBlur: () => setRepeated(true) })}
          />
        )}
      </Field>
      <div className={styles.submit}>
        <SubmitButton form={f}>{t('passwordSubmit')}</SubmitButton>
      </div>
    </form>
  )
}
