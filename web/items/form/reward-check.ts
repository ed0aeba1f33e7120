/** What publishing would earn, asked while one still types. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { RewardCheck, RewardReason } from '#contract/points.ts'
import { isSessionLost } from '#web/core/renewal.ts'

/** Milliseconds without a change before one asks. */
const DEBOUNCE = 700

const WITHHELD: Readonly<Record<RewardReason, MessageKey>> = {
  sameVideo: 'withheldSameVideo',
  sameArticle: 'withheldSameArticle',
  dailyLimit: 'withheldDailyLimit',
  lessonsDontCount: 'withheldLessonsDontCount',
}

/** Why there is no reward, as a sentence; null when there is one. */
export const withheldKey = (check: RewardCheck): MessageKey | null =>
  check.rewarded || check.rewardReason === null ? null : WITHHELD[check.rewardReason]

/**
 * The last answer to `ask`, which is asked once `about` has not changed for a moment; null without an answer.
 * What has been sent is not asked about: it may be published, and would then be called a repetition of itself.
 *
 * @param about what the question depends on, as one text; empty while there is nothing to ask
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
      // Nobody is asked to sign in for a hint.
      if (isSessionLost() || sent.current === about) return
      // Without an answer the form says nothing about it; the server decides when it is sent.
      askNow(stop.signal).then(setKnown, () => setKnown(null))
    }, DEBOUNCE)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [about])
  // An older answer stands while one types on, so that the button does not flicker.
  return about === '' ? null : known
}
