import { useEffect, useEffectEvent, useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { passkeyWords } from '#web/core/passkeys/words.ts'
import { useSettings } from '#web/core/settings.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'

interface PasskeyStepProps {
  readonly label: string
  /** Whether the user has a passkey. */
  readonly isOffered: () => Promise<boolean>
  /** Requests the passkey and continues. The step shows what it throws. */
  readonly take: () => Promise<void>
}

/** Offers a passkey instead of the dialog's fields. */
export function PasskeyStep({ label, isOffered, take }: PasskeyStepProps) {
  const { t } = useText()
  const { origin } = useSettings()
  const [offered, setOffered] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ readonly text: string } | null>(null)
  const look = useEffectEvent(() => isOffered())
  useEffect(() => {
    // If this fails, the dialog only shows its fields.
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
