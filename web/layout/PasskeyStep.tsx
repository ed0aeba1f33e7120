import { useEffect, useEffectEvent, useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { passkeyWords } from '#web/core/passkeys/words.ts'
import { useSettings } from '#web/core/settings.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'

interface PasskeyStepProps {
  readonly label: string
  /** Whether there is a passkey that could be asked for. */
  readonly isOffered: () => Promise<boolean>
  /** Asks for it, and goes on; what it throws is shown. */
  readonly take: () => Promise<void>
}

/** A passkey instead of what the dialog around it asks for. */
export function PasskeyStep({ label, isOffered, take }: PasskeyStepProps) {
  const { t } = useText()
  const { origin } = useSettings()
  const [offered, setOffered] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ readonly text: string } | null>(null)
  const look = useEffectEvent(() => isOffered())
  useEffect(() => {
    // Without an answer the dialog asks for what it asks of everybody.
    look().then(setOffered, () => {})
  }, [])

  async function press(): Promise<void> {
    setBusy(true)
    setProblem(null)
    try {
      await take()
    } catch (error) {
      setProblem({ text: passkeyWords(error, t, origin) })
      setBusy(false)
    }
  }

  if (!offered) return null
  return (
    <>
      {problem !== null && <Alert heading={t('error')}>{problem.text}</Alert>}
      <Button busy={busy} onClick={() => void press()}>
        {label}
      </Button>
      <p className="quiet">{t('confirmOr')}</p>
    </>
  )
}
