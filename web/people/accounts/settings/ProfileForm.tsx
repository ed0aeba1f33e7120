import type { ChangeEvent } from 'react'
import { ABOUT, USERNAME_EDIT, FORMER_NAME_DAYS } from '#contract/limits.ts'
import type { OwnProfile } from '#contract/profiles.ts'
import { FacePicture } from '#web/people/accounts/form/FacePicture.tsx'
import { PasswordField } from '#web/people/accounts/form/PasswordField.tsx'
import { useProfileForm } from '#web/people/accounts/settings/profile-form.ts'
import { SettingsSection } from '#web/people/accounts/settings/SettingsSection.tsx'
import { Unconfirmed } from '#web/people/accounts/mailed/Unconfirmed.tsx'
import { SubmitButton } from '#web/core/form/SubmitButton.tsx'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextArea } from '#web/ui/inputs/TextArea.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'

interface ProfileFormProps {
  readonly profile: OwnProfile
  /** False for people who sign in with a provider: a new address needs no password then. */
  readonly hasPassword: boolean
}

/** What they do is in `useProfileForm`. */
export function ProfileForm({ profile, hasPassword }: ProfileFormProps) {
  const { t } = useText()
  const { f, face, asksPassword, watchAddress, refusal } = useProfileForm(profile, hasPassword)
  const { register, errorOf } = f
  const { emailConfirmed, previousEmail } = profile
  const waiting =
    previousEmail === undefined
      ? t('emailUnconfirmed')
      : t('emailWaits', { previous: previousEmail })
  const emailHelp = emailConfirmed ? t('emailHelp') : waiting
  return (
    <SettingsSection
      id="edit-profile"
      title={t('profileFormTitle')}
      lead={[t('profileFormLead')]}
      actions={<SubmitButton form={f}>{t('profileSubmit')}</SubmitButton>}
      onSubmit={f.onSubmit}
    >
      {refusal !== null && (
        <Alert key={refusal.number} heading={t('profileFailed')} focus={refusal.isWhole}>
          {refusal.text}
        </Alert>
      )}
      <Field
        label={t('usernameLabel')}
        help={t('profileNameHelp', { days: FORMER_NAME_DAYS })}
        error={errorOf('username')}
        {...f.countOf('username', USERNAME_EDIT)}
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
        label={t('aboutLabel')}
        help={t('aboutHelp')}
        error={errorOf('about')}
        {...f.countOf('about', ABOUT)}
      >
        {(wiring) => <TextArea {...wiring} rows={3} dir="auto" {...register('about')} />}
      </Field>
      <Checkbox {...register('publicPage')}>{t('publicPage')}</Checkbox>
      <p className="small">
        <Link to={to.by(profile.username)}>{t('publicPageOpen')}</Link>
      </p>
      <Field label={t('emailLabel')} help={emailHelp} error={errorOf('email')}>
        {(wiring) => (
          <TextInput
            {...wiring}
            required
            type="email"
            autoComplete="email"
            {...register('email', {
              onChange: ({ target }: ChangeEvent<HTMLInputElement>) => watchAddress(target.value),
            })}
          />
        )}
      </Field>
      {!profile.emailConfirmed && <Unconfirmed email={profile.email ?? ''} />}
      <Checkbox {...register('hideEmail')}>{t('hideEmail')}</Checkbox>
      <Checkbox {...register('notices')}>{t('noticesLabel')}</Checkbox>
      <p className="small">
        <Link to={to.noticeWays()}>{t('noticesHow')}</Link>
      </p>
      {asksPassword && (
        <PasswordField
          help={t('profilePasswordWhy')}
          error={errorOf('password')}
          required
          {...register('password')}
        />
      )}
      <FacePicture
        label={t('profilePicture')}
        help={face.value === undefined ? t('pictureStays') : undefined}
        saved={profile.imageUrl}
        error={errorOf('image')}
        {...face}
      />
    </SettingsSection>
  )
}
