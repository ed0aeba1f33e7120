import type { Factors } from '#contract/factors.ts'
import { identities } from '#contract/identities.ts'
import { PasskeyStart } from '#contract/passkeys.ts'
import type { WaysIn } from '#contract/ways-in.ts'
import { PasskeyForm } from '#web/accounts/passkeys/PasskeyForm.tsx'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { useText } from '#web/core/i18n.tsx'
import { useSession } from '#web/core/session.ts'
import { Field } from '#web/ui/inputs/Field.tsx'
import { PasswordInput } from '#web/ui/inputs/PasswordInput.tsx'

interface AddIdentityDialogProps {
  readonly provider: WaysIn['providers'][number]
  readonly factors: Factors
  readonly onClose: () => void
}

/** The password of who has no second factor, then the browser goes to the other site and comes back. */
export function AddIdentityDialog({ provider, factors, onClose }: AddIdentityDialogProps) {
  const { t } = useText()
  const person = useSession()
  const asks = factors.since === null && factors.hasPassword
  const f = useAppForm({
    schema: PasskeyStart,
    defaults: {},
    labels: { ...(asks && { password: t('passwordLabel') }) },
    required: asks ? ['password'] : [],
    send: async ({ password }) => {
      const given = { provider: provider.id, ...(password && { password }) }
      const { address } = await api(identities.begin, given)
      location.assign(address)
    },
  })
  const title = t('identityAdd', { provider: provider.name })
  return (
    <PasskeyForm form={f} title={title} submit={t('passkeyContinue')} onClose={onClose}>
      <p>{t('identityWhat')}</p>
      {asks && (
        <>
          {/* For password managers: whose password this is. */}
          <input type="hidden" autoComplete="username" value={person?.username ?? ''} readOnly />
          <Field label={t('passwordLabel')} error={f.errorOf('password')}>
            {(wiring) => (
              <PasswordInput
                {...wiring}
                showLabel={t('showPassword')}
                hideLabel={t('hidePassword')}
                autoComplete="current-password"
                {...f.register('password')}
              />
            )}
          </Field>
        </>
      )}
    </PasskeyForm>
  )
}
