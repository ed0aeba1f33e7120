import { useNavigate } from 'react-router'
import type { Session } from '#contract/accounts.ts'
import { JoinForm } from '#web/people/accounts/oidc/JoinForm.tsx'
import type { loader } from '#web/people/accounts/oidc/ContinuePage.data.ts'
import { NewcomerForm } from '#web/people/accounts/oidc/NewcomerForm.tsx'
import { usePageData } from '#web/core/page.ts'
import { setSession } from '#web/core/session.ts'
import styles from '#web/ui/inputs/Form.module.css'

/** The step after the provider: newcomers choose a name, others prove that the account is theirs. */
export default function ContinuePage() {
  const { waiting, next } = usePageData<typeof loader>()
  const navigate = useNavigate()
  const onSignedIn = async (session: Session) => {
    setSession(session)
    await navigate(next, { replace: true })
  }
  return (
    <div className={styles.slip}>
      {waiting.step === 'register' ? (
        <NewcomerForm waiting={waiting} onSignedIn={onSignedIn} />
      ) : (
        <JoinForm waiting={waiting} onSignedIn={onSignedIn} />
      )}
    </div>
  )
}
