import { lazy, Suspense, useState } from 'react'
import type { Session } from '#contract/accounts.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'

// A lazy part with its own message catalogue would load the list of all catalogues: 2 KB for 0.2 KB of text.
const PasskeySignIn = lazy(async () => {
  const file = await import('#web/people/accounts/passkeys/PasskeySignIn.tsx')
  return { default: file.PasskeySignIn }
})

interface PasskeyButtonProps {
  readonly onSignedIn: (session: Session) => void
}

/** Loads the passkey code on a press, or after hydration if the browser may offer passkeys in autofill. */
export function PasskeyButton({ onSignedIn }: PasskeyButtonProps) {
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
