import { useState } from 'react'
import { ApiError } from '#web/core/api-error.ts'
import { useText } from '#web/core/i18n.tsx'

export interface Sending {
  /** A step is under way. */
  readonly busy: boolean
  /** Why the last step failed, in words; a new object each time, null when none has failed. */
  readonly failure: { readonly text: string } | null
  /** Takes the step, unless one is under way. What it throws is shown as `failure`; never rejects. */
  readonly send: (step: () => Promise<void>) => Promise<void>
}

/**
 * The steps of a dialog that is no form of fields: one at a time, and what went wrong last.
 *
 * @param explain words for a refusal instead of the server's own
 */
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
