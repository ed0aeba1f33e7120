import type { Session } from '#contract/accounts.ts'
import { identities, OidcRegistration, type Waiting } from '#contract/identities.ts'
import { USERNAME } from '#contract/limits.ts'
import { Consent } from '#web/people/accounts/form/Consent.tsx'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { SubmitButton } from '#web/core/form/SubmitButton.tsx'
import { useText } from '#web/core/i18n.tsx'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import styles from '#web/ui/inputs/Form.module.css'

interface NewcomerFormProps {
  readonly waiting: Waiting
  readonly onSignedIn: (session: Session) => Promise<void>
}

export function NewcomerForm({ waiting, onSignedIn }: NewcomerFormProps) {
  const { t } = useText()
  const { label, provider, suggested } = waiting
  const f = useAppForm({
    schema: OidcRegistration,
    defaults: { username: suggested },
    labels: { username: t('usernameLabel') },
    required: ['username'],
    send: async (values) => onSignedIn(await api(identities.register, values)),
  })
  return (
    <form
      className={styles.form}
      method="post"
      aria-labelledby="newcomer"
      onSubmit={(event) => void f.onSubmit(event)}
      noValidate
    >
      <div>
        <h1 id="newcomer">{t('oidcNewTitle')}</h1>
        <p className="quiet">{t('oidcNewLead', { label, provider })}</p>
      </div>
      <FormAlert alert={f.alert} />
      <Field
        label={t('usernameLabel')}
        help={t('usernameHelp')}
        error={f.errorOf('username')}
        {...f.countOf('username', USERNAME)}
      >
        {(wiring) => (
          <TextInput
            {...wiring}
            autoComplete="username"
            autoCapitalize="off"
            spellCheck={false}
            {...f.register('username')}
          />
        )}
      </Field>
      <Checkbox {...f.register('hideEmail')}>{t('hideEmail')}</Checkbox>
      <div className={styles.submit}>
        <Consent />
        <SubmitButton form={f} big>
          {t('registerSubmit')}
        </SubmitButton>
      </div>
    </form>
  )
}
