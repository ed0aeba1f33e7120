import { useNavigate } from 'react-router'
import { accounts } from '#contract/accounts.ts'
import { isEmail, Login } from '#contract/accounts.schemas.ts'
import type { loader } from '#web/accounts/LoginPage.data.ts'
import { NoCookies, warnOfNoCookies } from '#web/accounts/NoCookies.tsx'
import { PointsAside } from '#web/accounts/PointsAside.tsx'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { Rich, useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { setSession } from '#web/core/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { PasswordInput } from '#web/ui/inputs/PasswordInput.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'

/** Signs in by name and password, then goes on to where the person wanted to be. */
export default function LoginPage() {
  const { next, cookieLost } = usePageData<typeof loader>()
  const { t } = useText()
  const navigate = useNavigate()
  const { form, register, alert, errorOf, enteredOf, onSubmit, busy, disabled, reason } =
    useAppForm({
      schema: Login,
      // No defaults: what was typed before the script came stays.
      defaults: {},
      labels: { username: t('usernameLabel'), password: t('passwordLabel') },
      required: ['username', 'password'],
      plain: true,
      send: async (values) => {
        setSession(await api(accounts.login, values))
        await navigate(next, { replace: true })
        warnOfNoCookies(t)
      },
    })
  const typed = (form.watch('username') ?? '').trim()
  return (
    <div className="slip">
      <form
        className="form"
        method="post"
        encType="multipart/form-data"
        aria-labelledby="login"
        onSubmit={onSubmit}
        noValidate
      >
        <div>
          <h1 id="login">{t('loginTitle')}</h1>
          <p className="quiet">{t('loginLead')}</p>
        </div>
        <NoCookies cookieLost={cookieLost} />
        <FormAlert alert={alert} />
        <Field label={t('usernameLabel')} error={errorOf('username')}>
          {(wiring) => (
            <TextInput
              {...wiring}
              autoComplete="username"
              autoCapitalize="off"
              spellCheck={false}
              defaultValue={enteredOf('username')}
              {...register('username')}
            />
          )}
        </Field>
        <Field label={t('passwordLabel')} error={errorOf('password')}>
          {(wiring) => (
            <PasswordInput
              {...wiring}
              showLabel={t('showPassword')}
              hideLabel={t('hidePassword')}
              autoComplete="current-password"
              {...register('password')}
            />
          )}
        </Field>
        <div className="submit">
          <Button type="submit" kind="main" big busy={busy} disabled={disabled} reason={reason}>
            {t('loginSubmit')}
          </Button>
          <p>
            <Link to={to.forgotPassword()} state={isEmail(typed) ? { email: typed } : null}>
              {t('loginForgot')}
            </Link>
          </p>
          <p>
            <Rich id="loginOther" components={{ a: <Link to={to.register(next)} /> }} />
          </p>
        </div>
      </form>
      <PointsAside />
    </div>
  )
}
