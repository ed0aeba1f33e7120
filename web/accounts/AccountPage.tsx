/** One's own account: the password, and the sessions elsewhere. */
import { PasswordForm } from '#web/accounts/PasswordForm.tsx'
import { SignOutEverywhere } from '#web/accounts/SignOutEverywhere.tsx'
import { Rich, useText } from '#web/core/i18n.tsx'
import { useSession } from '#web/core/session.ts'
import '#web/accounts/accounts.css'

export default function AccountPage() {
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
        <PasswordForm />
        <SignOutEverywhere />
      </div>
    </div>
  )
}
