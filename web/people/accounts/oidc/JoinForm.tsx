import type { Session } from '#contract/accounts.ts'
import { identities, OidcFinish, type Waiting } from '#contract/identities.ts'
import { passkeys } from '#contract/passkeys.ts'
import { waysIn } from '#contract/ways-in.ts'
import { PasswordField } from '#web/people/accounts/form/PasswordField.tsx'
import { api } from '#web/core/api.ts'
import { CodeField } from '#web/core/form/CodeField.tsx'
import { useAppForm } from '#web/core/form/form.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { SubmitButton } from '#web/core/form/SubmitButton.tsx'
import { useText } from '#web/core/i18n.tsx'
import { provePasskey } from '#web/core/passkeys/prove.ts'
import { PasskeyStep } from '#web/layout/PasskeyStep.tsx'
import styles from '#web/ui/inputs/Form.module.css'

interface JoinFormProps {
  readonly waiting: Waiting
  readonly onSignedIn: (session: Session) => Promise<void>
}

/** Asks for the password once to link the identity, and for a code if the account has a second factor. */
export function JoinForm({ waiting, onSignedIn }: JoinFormProps) {
  const { t } = useText()
  const { label, provider, asksCode } = waiting
  const username = waiting.username ?? ''
  const joins = waiting.step === 'join'
  const f = useAppForm({
    schema: OidcFinish,
    defaults: {},
    labels: {
      ...(joins && { password: t('passwordLabel') }),
      ...(asksCode && { code: t('codeLabel') }),
    },
    required: [...(joins ? (['password'] as const) : []), ...(asksCode ? (['code'] as const) : [])],
    send: async ({ password, code }) => {
      const given = { ...(password && { password }), ...(code && { code }) }
      await onSignedIn(await api(identities.finish, given))
    },
  })
  return (
    <form
      className={styles.form}
      method="post"
      aria-labelledby="join"
      onSubmit={(event) => void f.onSubmit(event)}
      noValidate
    >
      <div>
        <h1 id="join">{joins ? t('oidcJoinTitle') : t('oidcCodeTitle')}</h1>
        <p className="quiet">
          {joins
            ? t('oidcJoinLead', { label, provider, username })
            : t('oidcCodeLead', { label, provider, username })}
        </p>
      </div>
      <FormAlert alert={f.alert} />
      <PasskeyStep
        label={t('passkeyUse')}
        isOffered={async () => (await api(waysIn.show, {})).passkeys}
        take={async () => {
          const credential = await provePasskey(await api(passkeys.beginSignIn, {}))
          await onSignedIn(await api(identities.finish, { credential }))
        }}
      />
      {joins && (
        <>
          {/* Tells password managers which account the password belongs to. */}
          <input type="hidden" autoComplete="username" value={username} readOnly />
          <PasswordField error={f.errorOf('password')} {...f.register('password')} />
        </>
      )}
      {asksCode && <CodeField error={f.errorOf('code')} {...f.register('code')} />}
      <div className={styles.submit}>
        <SubmitButton form={f} big>
          {t('loginSubmit')}
        </SubmitButton>
      </div>
    </form>
  )
}
