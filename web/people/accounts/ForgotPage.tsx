import { useLocation, useNavigate } from 'react-router'
import { accounts, PasswordForgot } from '#contract/accounts.ts'
import type { loader } from '#web/people/accounts/ForgotPage.data.ts'
import { ForgotSent } from '#web/people/accounts/mailed/ForgotSent.tsx'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { SubmitButton } from '#web/core/form/SubmitButton.tsx'
import { Rich, useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { isRecord } from '#web/core/shape.ts'
import { StallSide } from '#web/ui/books/StallSide.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/inputs/Form.module.css'

/** The answer is the same for known and unknown addresses, so that nobody learns who has an account. */
export default function ForgotPage() {
  const { isSent } = usePageData<typeof loader>()
  const email = useGivenAddress()
  return isSent ? <ForgotSent email={email} /> : <ForgotForm address={email} />
}

function ForgotForm({ address }: { readonly address: string | undefined }) {
  const navigate = useNavigate()
  const { t } = useText()
  const f = useAppForm<{ email: string }>({
    schema: PasswordForgot,
    defaults: { email: address ?? '' },
    plain: true,
    labels: { email: t('emailLabel') },
    required: ['email'],
    send: async ({ email }) => {
      await api(accounts.forgotPassword, { email })
      await navigate(to.forgotPassword(true), { state: { email: email.trim() } })
    },
  })
  return (
    <div className={classes(styles.slip, styles.withStall)}>
      <form
        className={styles.form}
        {...f.plainly}
        aria-labelledby="forgot"
        onSubmit={(event) => void f.onSubmit(event)}
        noValidate
      >
        <div>
          <h1 id="forgot">{t('forgotTitle')}</h1>
          <p className="quiet">{t('forgotLead')}</p>
        </div>
        <FormAlert alert={f.alert} />
        <Field label={t('emailLabel')} error={f.errorOf('email')}>
          {(wiring) => (
            <TextInput
              {...wiring}
              required
              type="email"
              autoComplete="email"
              {...f.register('email')}
            />
          )}
        </Field>
        <div className={styles.submit}>
          <SubmitButton form={f} big>
            {t('forgotSubmit')}
          </SubmitButton>
          <p>
            <Rich id="forgotOther" components={{ a: <Link to={to.login()} /> }} />
          </p>
        </div>
      </form>
      <StallSide drawing="book" />
    </div>
  )
}

/** The address that was typed as the name at the login, or sent with this page's form. */
function useGivenAddress(): string | undefined {
  const given: unknown = useLocation().state
  return isRecord(given) && typeof given['email'] === 'string' ? given['email'] : undefined
}
