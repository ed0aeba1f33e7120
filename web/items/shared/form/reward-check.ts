/** Finds out what publishing would earn while the author types. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { MessageKey } from '#contract/messages/messages.ts'
import { WITHHELD_WORDS, type RewardCheck } from '#contract/points.ts'
import { isSessionLost } from '#web/core/renewal.ts'

/** Debounce in ms. */
const DEBOUNCE = 700

/** Returns the reason why there is no reward; null when there is one. */
export const withheldKey = (check: RewardCheck): MessageKey | null =>
  check.rewarded || check.rewardReason === null ? null : WITHHELD_WORDS[check.rewardReason]

/**
 * Returns the last response of `ask`, which is called when `about` has stopped changing; null without a response.
 * The form's values are not checked once they were sent: after publishing, the check would find the item itself as
 * a repetition.
 * @param about everything on which the response depends, as one text; empty when there is nothing to ask
 */
export function useDebouncedCheck<Answer>(
  about: string,
  isSending: boolean,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Answer | null {
  const [known, setKnown] = useState<Answer | null>(null)
  const askNow = useEffectEvent(ask)
  const sent = useRef('')
  useEffect(() => {
    if (isSending) sent.current = about
  }, [isSending, about])
  useEffect(() => {
    if (about === '') return undefined
    const stop = new AbortController()
    const timer = setTimeout(() => {
      // A hint is no reason to ask for signing in.
      if (isSessionLost() || sent.current === about) return
      // The form shows nothing without a response; the server decides when the form is sent.
      askNow(stop.signal).then(setKnown, () => setKnown(null))
    }, DEBOUNCE)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [about])
  // The old response stays while the author types, so that the button doesn't flicker.
  return about === '' ? null : known
}
