import { useState } from 'react'
import { TokenDraft, accessTokens } from '#contract/access-tokens.ts'
import type { Scope } from '#contract/endpoint.ts'
import { TOKEN_NAME } from '#contract/limits.ts'
import { DaysField } from '#web/people/accounts/access-tokens/DaysField.tsx'
import { MadeDialog } from '#web/people/accounts/access-tokens/MadeDialog.tsx'
import { ScopesField } from '#web/people/accounts/access-tokens/ScopesField.tsx'
import { OwnPasswordField } from '#web/people/accounts/form/PasswordField.tsx'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { FormDialog } from '#web/core/form/FormDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { useSession } from '#web/core/session.ts'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'

const USUAL_DAYS = 90
const USUAL_SCOPES: Scope[] = ['read']

interface MakeDialogProps {
  /** False for people who sign in only by a passkey or a provider. */
  readonly hasPassword: boolean
  readonly onClose: () => void
}

export function MakeDialog({ hasPassword, onClose }: MakeDialogProps) {
  const { t } = useText()
  const person = useSession()
  const [made, setMade] = useState<string | null>(null)
  const f = useAppForm({
    schema: TokenDraft,
    defaults: {
      name: '',
      scopes: USUAL_SCOPES,
      days: USUAL_DAYS,
      ...(hasPassword && { password: '' }),
    },
    labels: {
      name: t('tokenName'),
      scopes: t('tokenScopes'),
      days: t('tokenDays'),
      ...(hasPassword && { password: t('passwordLabel') }),
    },
    required: ['name', 'scopes', ...(hasPassword ? (['password'] as const) : [])],
    send: async (values) => setMade((await api(accessTokens.create, values)).token),
  })
  if (made !== null) return <MadeDialog token={made} onClose={onClose} />
  const { register, errorOf } = f
  return (
    <FormDialog
      onClose={onClose}
      title={t('tokenMake')}
      step={{ label: t('tokenMakeSubmit'), kind: 'main' }}
      form={f}
    >
      <Field
        label={t('tokenName')}
        help={t('tokenNameHelp')}
        error={errorOf('name')}
        {...f.countOf('name', TOKEN_NAME)}
      >
        {(wiring) => <TextInput {...wiring} dir="auto" autoComplete="off" {...register('name')} />}
      </Field>
      <ScopesField
        error={errorOf('scopes')}
        register={() => f.form.register('scopes')}
        isAdministrator={person?.role === 'administrator'}
      />
      <DaysField
        days={f.form.watch('days')}
        usual={USUAL_DAYS}
        error={errorOf('days')}
        register={() => f.form.register('days', { valueAsNumber: true })}
      />
      {hasPassword && <OwnPasswordField error={errorOf('password')} {...register('password')} />}
    </FormDialog>
  )
}
