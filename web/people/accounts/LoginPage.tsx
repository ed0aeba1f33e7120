import { type MouseEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { accounts, Login } from '#contract/accounts.ts'
import type { InputOf } from '#contract/endpoint.ts'
import type { loader } from '#web/people/accounts/LoginPage.data.ts'
import { NoCookies, warnOfNoCookies } from '#web/people/accounts/NoCookies.tsx'
import { PasswordField } from '#web/people/accounts/form/PasswordField.tsx'
import { ProviderLinks } from '#web/layout/ProviderLinks.tsx'
import { RefusedSignIn } from '#web/people/accounts/oidc/RefusedSignIn.tsx'
import { PasskeyButton } from '#web/people/accounts/passkeys/PasskeyButton.tsx'
import { PointsAside } from '#web/people/accounts/PointsAside.tsx'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { CodeField } from '#web/core/form/CodeField.tsx'
import { useAppForm } from '#web/core/form/form.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useRefused } from '#web/core/form/refused.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { setSession } from '#web/core/session.ts'
import { StallSide } from '#web/ui/books/StallSide.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/inputs/Form.module.css'

/** A rough check: the page that it leads to validates the address. */
const isAddress = (typed: string) => /^[^\s@]+@\S+$/.test(typed)

/** Passes on an address that was typed as the name. */
function ForgotLink() {
  const { t } = useText()
  const navigate = useNavigate()
  function takeAlong(event: MouseEvent<HTMLAnchorElement>): void {
    const form = event.currentTarget.closest('form')
    const typed = form === null ? null : new FormData(form).get('username')
    if (typeof typed !== 'string' || !isAddress(typed.trim()) || opensElsewhere(event)) return
    event.preventDefault()
    void navigate(to.forgotPassword(), { state: { email: typed.trim() } })
  }
  return (
    <Link to={to.forgotPassword()} onClick={takeAlong}>
      {t('loginForgot')}
    </Link>
  )
}

/** True if the click opens another tab or window. */
const opensElsewhere = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey

export default function LoginPage() {
  const { next, cookieLost, isReset, refused, ways } = usePageData<typeof loader>()
  const { t } = useText()
  const navigate = useNavigate()
  const goOn = async () => {
    await navigate(next, { replace: true })
    warnOfNoCookies(t)
  }
  const [asksCode, setAsksCode] = useState(useRefused()?.fields['code'] !== undefined)
  const [why, setWhy] = useState('')
  const f = useAppForm({
    schema: Login,
    defaults: {},
    plain: true,
    labels: { username: t('usernameLabel'), password: t('passwordLabel'), code: t('codeLabel') },
    required: ['username', 'password', ...(asksCode ? (['code'] as const) : [])],
    send: async (values) => {
      const missing = await logIn(values, asksCode)
      if (missing !== null) {
        setAsksCode(true)
        return setWhy(missing)
      }
      await goOn()
    },
  })
  const { register, errorOf } = f
  return (
    <div className={classes(styles.slip, styles.withStall)}>
      <form
        className={styles.form}
        {...f.plainly}
        aria-labelledby="login"
        onSubmit={(event) => void f.onSubmit(event)}
        noValidate
      >
        <div>
          <h1 id="login">{t('loginTitle')}</h1>
          <p className="quiet">{t('loginLead')}</p>
        </div>
        {isReset && <p role="status">{t('resetDone')}</p>}
        <NoCookies cookieLost={cookieLost} />
        <RefusedSignIn why={refused} />
        <FormAlert alert={f.alert} />
        {ways.password && (
          <>
            <Field label={t('usernameLabel')} error={errorOf('username')}>
              {(wiring) => (
                <TextInput
                  {...wiring}
                  autoComplete={ways.passkeys ? 'username webauthn' : 'username'}
                  autoCapitalize="off"
                  spellCheck={false}
                  {...register('username')}
                />
              )}
            </Field>
            <PasswordField error={errorOf('password')} {...register('password')} />
            {why !== '' && <p>{why}</p>}
            {asksCode && <CodeField focus error={errorOf('code')} {...register('code')} />}
          </>
        )}
        <div className={styles.submit}>
          {ways.password && (
            <Button
              type="submit"
              kind="main"
              big
              busy={f.busy}
              disabled={f.disabled}
              missing={f.missing}
            >
              {t('loginSubmit')}
            </Button>
          )}
          {ways.passkeys && (
            <PasskeyButton
              onSignedIn={(session) => {
                setSession(session)
                void goOn()
              }}
            />
          )}
          <ProviderLinks ways={ways} next={next} />
          {ways.password && (
            <p>
              <ForgotLink />
            </p>
          )}
          <p>
            <Rich id="loginOther" components={{ a: <Link to={to.register(next)} /> }} />
          </p>
        </div>
      </form>
      <StallSide drawing="shelf">
        <PointsAside />
      </StallSide>
    </div>
  )
}

/** Returns null when signed in, or a message if the password was right and a code is missing. */
async function logIn(
  values: InputOf<typeof accounts.login>,
  gaveCode: boolean,
): Promise<string | null> {
  try {
    setSession(await api(accounts.login, values))
    return null
  } catch (error) {
    const missing = error instanceof ApiError ? error.fields['code'] : undefined
    if (missing !== undefined && !gaveCode) return missing
    throw error
  }
}
