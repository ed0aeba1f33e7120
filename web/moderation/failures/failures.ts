/** Selecting what failed, a job or a mail, and trying it again or giving it up. */
import { useState } from 'react'
import type { jobs } from '#contract/jobs.ts'
import type { mail } from '#contract/mail.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { toast } from '#web/core/toast.ts'

export interface FailureStep {
  readonly call: typeof jobs.retry | typeof jobs.drop | typeof mail.resend | typeof mail.dropMails
  /** On its button. */
  readonly label: string
  /** What it did, to so many. */
  readonly done: (count: number) => string
}

export interface Failures {
  readonly selected: readonly number[]
  readonly choose: (ids: readonly number[]) => void
  /** Takes the step with all that is selected; what goes wrong stands in `failure`. */
  readonly act: (step: FailureStep) => Promise<void>
  readonly busy: boolean
  readonly failure: { readonly text: string; readonly status: number } | null
}

/** @param onActing learns whether something is selected, so that the list does not move away below it */
export function useFailures(
  items: readonly { readonly id: number }[],
  onActing?: (acting: boolean) => void,
): Failures {
  const { t } = useText()
  const reload = useReload()
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failures['failure']>(null)
  // Of what is not on the page any more nothing is selected.
  const selected = items.flatMap(({ id }) => (ticked.has(id) ? [id] : []))
  const choose = (ids: readonly number[]) => {
    setTicked(new Set(ids))
    onActing?.(ids.length > 0)
  }
  const act = async ({ call, done }: FailureStep) => {
    if (busy) return
    setBusy(true)
    setFailure(null)
    try {
      await api(call, { ids: selected })
      toast(done(selected.length))
      choose([])
      // The selection's bar goes, and the button in it: the page takes the focus.
      document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
      await reload()
    } catch (error) {
      const known = error instanceof ApiError
      setFailure({
        text: known ? error.message : t('somethingWrong'),
        status: known ? error.status : 0,
      })
    } finally {
      setBusy(false)
    }
  }
  return { selected, choose, act, busy, failure }
}
