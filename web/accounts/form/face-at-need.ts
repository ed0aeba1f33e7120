import { useEffect, useRef, useState } from 'react'
import type { accounts } from '#contract/accounts.ts'
import type { InputOf } from '#contract/endpoint.ts'
import type { FormAtNeed } from '#web/core/form/form-at-need.tsx'

type Values = InputOf<typeof accounts.register>

interface Given {
  readonly file?: File | undefined
  /** Why a file was not taken, packed. */
  readonly problem?: string
}

/**
 * The picture of a form that may have no rules yet (form-at-need.tsx): what is chosen is shown at once, and the form has
 * it when it can take it.
 */
export function useFaceAtNeed() {
  const [given, setGiven] = useState<Given | null>(null)
  return {
    given,
    value: given?.file,
    onChoose: (file: File | undefined) => setGiven({ file }),
    onRefuse: (problem: string) => setGiven({ problem }),
  }
}

/** Gives the form what was chosen, now or once its rules are there; they are fetched for it. */
export function useGivenFace(
  given: Given | null,
  { form, wake }: Pick<FormAtNeed<Values>, 'form' | 'wake'>,
): void {
  const latest = useRef(form)
  useEffect(() => {
    latest.current = form
  })
  const isLive = form !== null
  useEffect(() => {
    latest.current?.register('image')
  }, [isLive])
  useEffect(() => {
    if (given === null) return
    const live = latest.current
    if (!isLive || live === null) return wake()
    if (given.problem === undefined) {
      // Without a file it is what the form calls missing.
      live.setValue('image', given.file as Values['image'], {
        shouldValidate: true,
        shouldTouch: true,
      })
    } else {
      // Its own check would put "required" over the reason.
      live.resetField('image')
      live.setError('image', { type: 'file', message: given.problem })
    }
  }, [isLive, given, wake])
}
