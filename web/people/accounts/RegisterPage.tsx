import { useState } from 'react'
import { useNavigate } from 'react-router'
import { accounts, Registration } from '#contract/accounts.ts'
import { PASSWORD, USERNAME } from '#contract/limits.ts'
import { Consent } from '#web/people/accounts/form/Consent.tsx'
import { DoorNote } from '#web/people/accounts/form/DoorNote.tsx'
import { mayRegister } from '#web/people/accounts/form/door.ts'
import { PasswordField } from '#web/people/accounts/form/PasswordField.tsx'
import { useFace } from '#web/people/accounts/form/use-face.ts'
import { FacePicture } from '#web/people/accounts/form/FacePicture.tsx'
import { NoCookies, warnOfNoCookies } from '#web/people/accounts/NoCookies.tsx'
import { ProviderLinks } from '#web/layout/ProviderLinks.tsx'
import { PointsAside } from '#web/people/accounts/PointsAside.tsx'
import type { loader } from '#web/people/accounts/RegisterPage.data.ts'
import { RequiredLabel } from '#web/people/accounts/form/RequiredLabel.tsx'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { SubmitButton } from '#web/core/form/SubmitButton.tsx'
import { useRefused } from '#web/core/form/refused.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData, useReload } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { setSession } from '#web/core/session.ts'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import { StallSide } from '#web/ui/books/StallSide.tsx'
import { Face } from '#web/ui/Face.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/inputs/Form.module.css'

/** What they do is in the hooks above. */
export default function RegisterPage() {
  const { next, cookieLost, ways, invitation } = usePageData<typeof loader>()
  const { t } = useText()
  const refused = useRefused()
  const navigate = useNavigate()
  const reload = useReload()
  const f = useAppForm({
    schema: Registration,
    defaults: { face: 'drawn', ...(invitation !== undefined && { invitation }) },
    plain: true,
    repeats: { field: 'rePassword', of: 'password', error: 'passwordsDiffer' },
    labels: {
      username: t('usernameLabel'),
      email: t('emailLabel'),
      password: t('passwordLabel'),
      rePassword: t('rePasswordLabel'),
      image: t('profilePicture'),
    },
    required: ['username', 'email', 'password', 'rePassword'],
    send: async (values) => {
      try {
        setSession(await api(accounts.register, values))
      } catch (error) {
        // Somebody else may have used the invitation up meanwhile; the page then says so.
        if (error instanceof ApiError && error.status === 403) await reload()
        throw error
      }
      await navigate(next, { replace: true })
      warnOfNoCookies(t)
    },
  })
  const { form, register, errorOf } = f
  const face = useFace(form)
  const isOpen = mayRegister(ways)
  // Once the repetition was left, changing the password validates both fields.
  const [repeated, setRepeated] = useState(false)
  return (
    <div className={classes(styles.slip, styles.withStall)}>
      <form
        className={styles.form}
        {...f.plainly}
        aria-labelledby="join"
        onSubmit={(event) => void f.onSubmit(event)}
        noValidate
      >
        <div>
          <h1 id="join">{t('registerTitle')}</h1>
          <p className="quiet">{t('registerLead')}</p>
        </div>
        <NoCookies cookieLost={cookieLost} />
        <FormAlert alert={f.alert} />
        <DoorNote ways={ways} />
        {ways.password && isOpen && (
          <>
            {invitation !== undefined && (
              <input type="hidden" value={invitation} {...form.register('invitation')} />
            )}
            <Field
              label={<RequiredLabel>{t('usernameLabel')}</RequiredLabel>}
              help={t('usernameHelp')}
              error={errorOf('username')}
              {...f.countOf('username', USERNAME)}
            >
              {(wiring) => (
                <TextInput
                  {...wiring}
                  required
                  autoComplete="username"
                  autoCapitalize="off"
                  spellCheck={false}
                  {...register('username')}
                />
              )}
            </Field>
            <Field
              label={<RequiredLabel>{t('emailLabel')}</RequiredLabel>}
              help={t('emailHelp')}
              error={errorOf('email')}
            >
              {(wiring) => (
                <TextInput
                  {...wiring}
                  required
                  type="email"
                  autoComplete="email"
                  {...register('email')}
                />
              )}
            </Field>
            <Checkbox
              {...register('hideEmail')}
              defaultChecked={refused?.values['hideEmail'] !== undefined}
            >
              {t('hideEmail')}
            </Checkbox>
            <PasswordField
              label={<RequiredLabel>{t('passwordLabel')}</RequiredLabel>}
              help={t('passwordHelp', { min: PASSWORD.min })}
              error={errorOf('password')}
              required
              autoComplete="new-password"
              {...register('password', {
                onChange: () => {
                  if (repeated) void form.trigger('rePassword')
                },
              })}
            />
            <PasswordField
              label={<RequiredLabel>{t('rePasswordLabel')}</RequiredLabel>}
              error={errorOf('rePassword')}
              required
              autoComplete="new-password"
              {...register('rePassword', { onBlur: () => setRepeated(true) })}
            />
            <input type="hidden" name="face" value="drawn" />
            <FacePicture
              name="image"
              label={t('profilePicture')}
              help={face.value === undefined ? <DrawnFace /> : undefined}
              isDrawn
              error={errorOf('image')}
              value={face.value}
              onChoose={face.onChoose}
              onRefuse={face.onRefuse}
            />
          </>
        )}
        <div className={styles.submit}>
          {isOpen && <Consent />}
          {ways.password && isOpen && (
            <SubmitButton form={f} big>
              {t('registerSubmit')}
            </SubmitButton>
          )}
          <ProviderLinks ways={ways} next={next} invitation={invitation} />
          <p>
            <Rich id="registerOther" components={{ a: <Link to={to.login(next)} /> }} />
          </p>
        </div>
      </form>
      <StallSide drawing="shelf">
        <PointsAside />
      </StallSide>
    </div>
  )
}

function DrawnFace() {
  const { t } = useText()
  return (
    <span className={styles.drawnFace}>
      <Face src="/art/avatar/stranger.svg" eager />
      {t('faceDrawn')}
    </span>
  )
}
