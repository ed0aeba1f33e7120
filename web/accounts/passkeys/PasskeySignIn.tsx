import { useEffect, useEffectEvent, useState } from 'react'
import type { Session } from '#contract/accounts.ts'
import { passkeys } from '#contract/passkeys.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { offersQuietly, provePasskey, stopWaiting } from '#web/core/passkeys/prove.ts'
import type { UnknownPasskey } from '#web/core/passkeys/signal.ts'
import { passkeyWords } from '#web/core/passkeys/words.ts'
import { useSettings } from '#web/core/settings.ts'
import { Alert } from '#web/ui/Alert.tsx'

/** A challenge is good for five minutes; a page that waits longer asks for another. */
const ASK_AGAIN_MS = 4 * 60 * 1000

interface PasskeySignInProps {
  /** How often the button was pressed; each press asks. */
  readonly presses: number
  readonly onSignedIn: (session: Session) => void
}

/** Signs in by a passkey: by the one that the person picks where names are filled in, or by a press. */
export function PasskeySignIn({ presses, onSignedIn }: PasskeySignInProps) {
  const { t } = useText()
  const { origin } = useSettings()
  const [problem, setProblem] = useState<{ readonly text: string } | null>(null)

  /** @returns whether the person is signed in now */
  const ask = useEffectEvent(async (quietly: boolean, isOver: () => boolean): Promise<boolean> => {
    let used: UnknownPasskey | null = null
    try {
      const options = await api(passkeys.beginSignIn, {})
      if (isOver()) return false
      const credential = await provePasskey(options, quietly)
      used = { rpId: options.rpId, credentialId: credential.id }
      setProblem(null)
      onSignedIn(await api(passkeys.signIn, { credential }))
      return true
    } catch (error) {
      if (used !== null && error instanceof ApiError && error.key === 'passkeyUnknown')
        void tellUnknown(used)
      // Nobody asked for the quiet one, unless they picked a passkey, which the server refused.
      const isSilent = isOver() || (quietly && !isRefused(error))
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
      // Once in, nothing is asked any more: a second sign-in would end the session of the first while the page changes.
      if (presses > 0 && (await ask(false, isOver))) return end()
      if (over || !(await offersQuietly())) return
      void offer()
      timer = setInterval(() => void offer(), ASK_AGAIN_MS)
    }
    void begin()
    return end
  }, [presses])

  return problem === null ? null : <Alert heading={t('error')}>{problem.text}</Alert>
}

async function tellUnknown(used: UnknownPasskey): Promise<void> {
  const { signalUnknown } = await import('#web/core/passkeys/signal.ts')
  await signalUnknown(used)
}

/** By the server: a browser that was not reached, or gave up, says nothing that a person asked for. */
function isRefused(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 401
}
