import { useEffect, useEffectEvent, useState } from 'react'
import type { Session } from '#contract/accounts.ts'
import { passkeys } from '#contract/passkeys.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { supportsAutofill, provePasskey, stopWaiting } from '#web/core/passkeys/prove.ts'
import type { UnknownPasskey } from '#web/core/passkeys/signal.ts'
import { passkeyWords } from '#web/core/passkeys/words.ts'
import { useSettings } from '#web/core/settings.ts'
import { Alert } from '#web/ui/Alert.tsx'

/** A challenge is valid for five minutes, so a waiting page requests a new one earlier. */
const ASK_AGAIN_MS = 4 * 60 * 1000

interface PasskeySignInProps {
  /** Number of presses of the button. Each press starts a request. */
  readonly presses: number
  readonly onSignedIn: (session: Session) => void
}

/** Signs in with a passkey, by the button or by the browser's autofill. */
export function PasskeySignIn({ presses, onSignedIn }: PasskeySignInProps) {
  const { t } = useText()
  const { origin } = useSettings()
  const [problem, setProblem] = useState<{ readonly text: string } | null>(null)

  /** Resolves to true if the user is signed in now. */
  const ask = useEffectEvent(async (autofill: boolean, isOver: () => boolean): Promise<boolean> => {
    let used: UnknownPasskey | null = null
    try {
      const options = await api(passkeys.beginSignIn, {})
      if (isOver()) return false
      const credential = await provePasskey(options, autofill)
      used = { rpId: options.rpId, credentialId: credential.id }
      setProblem(null)
      onSignedIn(await api(passkeys.signIn, { credential }))
      return true
    } catch (error) {
      if (used !== null && error instanceof ApiError && error.key === 'passkeyUnknown')
        void reportUnknown(used)
      // Nobody asked for the autofill request, so only a refusal of the picked passkey is shown.
      const isSilent = isOver() || (autofill && !isRefused(error))
      if (!isSilent) setProblem({ text: passkeyWords(error, t, origin) })
      return false
    }
  })

  useEffect(() => {
    let over = false
    const isOver = () => over
    let timer: ReturnType<typeof setInterval> | undefined
    const end = () => {
      over = true
      clearInterval(timer)
      stopWaiting()
    }
    const offer = async () => {
      if (await ask(true, isOver)) end()
    }
    const begin = async () => {
      // Stops after a sign-in: a second one would end the first session while the page changes.
      if (presses > 0 && (await ask(false, isOver))) return end()
      if (over || !(await supportsAutofill())) return
      void offer()
      timer = setInterval(() => void offer(), ASK_AGAIN_MS)
    }
    void begin()
    return end
  }, [presses])

  return problem === null ? null : <Alert heading={t('error')}>{problem.text}</Alert>
}

async function reportUnknown(used: UnknownPasskey): Promise<void> {
  const { signalUnknown } = await import('#web/core/passkeys/signal.ts')
  await signalUnknown(used)
}

/** True if the server refused. Network errors and aborted requests stay silent, because the user asked for nothing. */
function isRefused(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 401
}
