import { lazy, Suspense, useState } from 'react'
import type { Session } from '#contract/accounts.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'

// Not as a part with texts of its own: for them the list of all texts would be fetched, 2 KB for the sake of 0.2.
const PasskeySignIn = lazy(async () => {
  const file = await import('#web/accounts/passkeys/PasskeySignIn.tsx')
  return { default: file.PasskeySignIn }
})

interface PasskeyDoorProps {
  readonly onSignedIn: (session: Session) => void
}

/**
 * The login's button for passkeys. What it does is fetched by its press, and where the browser could offer passkeys by
 * itself, once the page stands.
 */
export function PasskeyDoor({ onSignedIn }: PasskeyDoorProps) {
  const { t } = useText()
  const [presses, setPresses] = useState(0)
  const canOffer = useHydrated() && 'PublicKeyCredential' in window
  return (
    <div className="scripted">
      <Button onClick={() => setPresses(presses + 1)}>{t('passkeyHere')}</Button>
      <Suspense>
        {(canOffer || presses > 0) && <PasskeySignIn presses={presses} onSignedIn={onSignedIn} />}
      </Suspense>
    </div>
  )
}
