import { lazy, Suspense } from 'react'
import type { loader } from '#web/people/accounts/AccountPage.data.ts'
import { SecondFactor } from '#web/people/accounts/factors/SecondFactor.tsx'
import { Identities } from '#web/people/accounts/oidc/Identities.tsx'
import { RefusedSignIn } from '#web/people/accounts/oidc/RefusedSignIn.tsx'
import { Passkeys } from '#web/people/accounts/passkeys/Passkeys.tsx'
import { DevicesLink, TokensLink } from '#web/people/accounts/settings/AccountLinks.tsx'
import { EraseAccount } from '#web/people/accounts/settings/EraseAccount.tsx'
import { PasswordForm } from '#web/people/accounts/settings/PasswordForm.tsx'
import { ProfileForm } from '#web/people/accounts/settings/ProfileForm.tsx'
import { SignOutEverywhere } from '#web/people/accounts/settings/SignOutEverywhere.tsx'
import { ExportSection } from '#web/people/accounts/settings/ExportSection.tsx'
import { Rich, useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { useSession } from '#web/core/session.ts'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/inputs/Form.module.css'

/** Few sites let everybody invite. */
const InviteSection = lazy(async () => {
  const { InviteSection: Section } =
    await import('#web/people/accounts/invitations/InviteSection.tsx')
  return { default: Section }
})

export default function AccountPage() {
  const { profile, secondFactor, ownPasskeys, ownIdentities, ways, copy, refused } =
    usePageData<typeof loader>()
  const { t } = useText()
  const person = useSession()
  return (
    <div className={classes(styles.slip, styles.account)}>
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
      <RefusedSignIn why={refused} />
      <div className={styles.parts}>
        <ProfileForm profile={profile} hasPassword={secondFactor.hasPassword} />
        {ways.password && secondFactor.hasPassword && <PasswordForm />}
      </div>
      <div className={styles.parts}>
        <SecondFactor stored={secondFactor} />
        <Passkeys stored={ownPasskeys} factors={secondFactor} />
        <Identities stored={ownIdentities} ways={ways} factors={secondFactor} />
        <DevicesLink />
        <SignOutEverywhere />
        <TokensLink />
        {ways.mayInvite && (
          <Suspense>
            <InviteSection />
          </Suspense>
        )}
        <ExportSection stored={copy} />
        <EraseAccount hasPassword={secondFactor.hasPassword} />
      </div>
    </div>
  )
}
