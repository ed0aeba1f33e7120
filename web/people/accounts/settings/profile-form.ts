import { useState } from 'react'
import { useNavigate } from 'react-router'
import { profiles, type OwnProfile } from '#contract/profiles.ts'
import { useFaceField } from '#web/people/accounts/form/face-field.ts'
import { isNewAddress, profileSchema } from '#web/people/accounts/settings/profile-values.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useAppForm } from '#web/core/form/form.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { setSession } from '#web/core/session.ts'
import { toast } from '#web/core/toast.ts'

/** Shown above the form even if a field shows the same error, because users look there first. */
interface Refusal {
  readonly number: number
  readonly text: string
  /** True if it belongs to no field, so that the alert takes the focus. */
  readonly isWhole: boolean
}

/**
 * The password field appears while the address differs. `hasPassword` is false for people who sign in with a provider.
 */
export function useProfileForm(profile: OwnProfile, hasPassword: boolean) {
  const { t } = useText()
  const navigate = useNavigate()
  const saved = { username: profile.username, email: profile.email ?? '' }
  const [asksPassword, setAsksPassword] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const f = useAppForm({
    schema: profileSchema(saved),
    defaults: {
      ...saved,
      hideEmail: profile.hideEmail,
      notices: profile.notices,
      about: profile.about,
      publicPage: profile.publicPage,
      image: undefined,
      password: '',
    },
    labels: {
      username: t('usernameLabel'),
      email: t('emailLabel'),
      about: t('aboutLabel'),
      password: t('passwordLabel'),
      image: t('profilePicture'),
    },
    required: asksPassword ? ['username', 'email', 'password'] : ['username', 'email'],
    send: async ({ password, ...values }) => {
      setRefusal(null)
      const given = asksPassword ? { ...values, password } : values
      const { session } = await api(profiles.update, given).catch(refuse)
      setSession(session)
      if (session.username !== saved.username)
        void import('#web/core/passkeys/signal.ts').then(({ signalPasskeys }) => signalPasskeys())
      await navigate(to.profile(session._id))
      toast(t(asksPassword ? 'profileUpdatedConfirm' : 'profileUpdated'))
    },
  })

  function refuse(error: unknown): never {
    if (error instanceof ApiError) {
      const { message: text, fields } = error
      const isWhole = Object.keys(fields).length === 0
      setRefusal((before) => ({ number: (before?.number ?? 0) + 1, text, isWhole }))
    }
    throw error
  }

  return {
    f,
    refusal,
    face: useFaceField(f.form, 'image'),
    asksPassword,
    /** Call it with each change of the address. */
    watchAddress: (email: string) => {
      const isNew = isNewAddress(email, saved)
      if (!isNew) f.form.resetField('password')
      setAsksPassword(isNew && hasPassword)
    },
  }
}
