import type { ComponentProps, ReactNode } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { useSession } from '#web/core/session.ts'
import { Field } from '#web/ui/inputs/Field.tsx'
import { PasswordInput } from '#web/ui/inputs/PasswordInput.tsx'

interface PasswordFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'type'> {
  /** Default: "Password". */
  readonly label?: ReactNode
  readonly help?: ReactNode
  readonly error: string | undefined
}

/** Expects the current password unless `autoComplete` says otherwise. */
export function PasswordField({ label, help, error, ...input }: PasswordFieldProps) {
  const { t } = useText()
  return (
    <Field label={label ?? t('passwordLabel')} help={help} error={error}>
      {(wiring) => (
        <PasswordInput
          {...wiring}
          showLabel={t('showPassword')}
          hideLabel={t('hidePassword')}
          autoComplete="current-password"
          {...input}
        />
      )}
    </Field>
  )
}

/** The password of the signed-in user. */
export function OwnPasswordField(props: PasswordFieldProps) {
  const person = useSession()
  return (
    <>
      {/* Tells password managers which account the password belongs to. */}
      <input type="hidden" autoComplete="username" value={person?.username ?? ''} readOnly />
      <PasswordField {...props} />
    </>
  )
}
