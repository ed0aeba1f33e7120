import type { Factors } from '#contract/factors.ts'
import { identities } from '#contract/identities.ts'
import { PasskeyStart } from '#contract/passkeys.ts'
import type { WaysIn } from '#contract/ways-in.ts'
import { OwnPasswordField } from '#web/people/accounts/form/PasswordField.tsx'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { FormDialog } from '#web/core/form/FormDialog.tsx'
import { useText } from '#web/core/i18n.tsx'

interface AddIdentityDialogProps {
  readonly provider: WaysIn['providers'][number]
  readonly factors: Factors
  readonly onClose: () => void
}

/** Asks for the password unless a second factor is set up, then redirects to the provider. */
export function AddIdentityDialog({ provider, factors, onClose }: AddIdentityDialogProps) {
  const { t } = useText()
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
  return (
    <FormDialog
      onClose={onClose}
      title={t('identityAdd', { provider: provider.name })}
      step={{ label: t('passkeyContinue'), kind: 'main' }}
      form={f}
    >
      <p>{t('identityWhat')}</p>
      {asks && <OwnPasswordField error={f.errorOf('password')} {...f.register('password')} />}
    </FormDialog>
  )
}
