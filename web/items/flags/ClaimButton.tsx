import { useState } from 'react'
import { flags } from '#contract/flags.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'

interface ClaimButtonProps {
  /** The newer lesson. */
  readonly id: number
  readonly title: string
}

/** "This is mine": asks the moderators to compare a lesson with the reader's older one. */
export function ClaimButton({ id, title }: ClaimButtonProps) {
  const { t } = useText()
  const [state, setState] = useState<'idle' | 'busy' | 'done'>('idle')
  const claim = async () => {
    setState('busy')
    try {
      await api(flags.claim, { id })
      setState('done')
    } catch (error) {
      setState('idle')
      if (!(error instanceof ApiError)) throw error
      toast(error.message, 'failed')
    }
  }
  return (
    <p className="small" role="status">
      {state === 'done' ? (
        t('claimDone')
      ) : (
        <Button
          icon="flag"
          busy={state === 'busy'}
          aria-label={`${t('claimIt')}: ${title}`}
          onClick={() => void claim()}
        >
          {t('claimIt')}
        </Button>
      )}
    </p>
  )
}
