import { useState } from 'react'
import { ApiError } from '#web/core/api-error.ts'
import { useText } from '#web/core/i18n.tsx'

export interface Sending {
  readonly busy: boolean
  /** A new object for each failure. */
  readonly failure: { readonly text: string } | null
  /** Runs the step unless one is running. Never rejects: what the step throws becomes `failure`. */
  readonly send: (step: () => Promise<void>) => Promise<void>
}

/** The state of a dialog without fields. `explain` replaces the server's message for a refusal. */
export function useSending(explain = (error: ApiError): string => error.message): Sending {
  const { t } = useText()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Sending['failure']>(null)
  return {
    busy,
    failure,
    send: async (step) => {
      if (busy) return
      setBusy(true)
      setFailure(null)
      try {
        await step()
      } catch (error) {
        setFailure({ text: error instanceof ApiError ? explain(error) : t('somethingWrong') })
      } finally {
        setBusy(false)
      }
    },
  }
}
