import type { loader } from '#web/accounts/AccountPage.data.ts'
import { EraseAccount } from '#web/accounts/settings/EraseAccount.tsx'
import { PasswordForm } from '#web/accounts/settings/PasswordForm.tsx'
import { ProfileForm } from '#web/accounts/settings/ProfileForm.tsx'
import { SignOutEverywhere } from '#web/accounts/settings/SignOutEverywhere.tsx'
import { TakeAlong } from '#web/accounts/settings/TakeAlong.tsx'
import { Rich, useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { useSession } from '#web/core/session.ts'

/**
 * One's own account: the profile, the password, the sessions elsewhere, the copy of one's data, and the end of the
 * account.
 */
export default function AccountPage() {
  const { profile } = usePageData<typeof loader>()
  const { t } = useText()
  const person = useSession()
  return (
    <div className="slip">
      <div className="parts">
        <div>
          <h1>{t('accountTitle')}</h1>
          {person !== null && (
            <p className="quiet">
              <Rich
                id="accountSignedInAs"
                values={{ username: person.username, email: person.email }}
                components={{ b: <b /> }}
              />
            </p>
          )}
        </div>
        <ProfileForm profile={profile} />
        <PasswordForm />
        <SignOutEverywhere />
        <TakeAlong />
        <EraseAccount />
      </div>
    </div>
  )
}
