import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Video } from '#contract/lesson-forms.schemas.ts'
import { lessons } from '#contract/lessons.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { RewardCheck, RewardReason } from '#contract/points.schemas.ts'
import { api } from '#web/core/api.ts'
import { isSessionLost } from '#web/core/renewal.ts'
import { articleProblem } from '#web/lessons/article/article-length.ts'

/** Milliseconds of rest in the typing. */
const REST = 700

const WITHHELD: Readonly<Record<RewardReason, MessageKey>> = {
  sameVideo: 'withheldSameVideo',
  sameArticle: 'withheldSameArticle',
  dailyLimit: 'withheldDailyLimit',
  lessonsDontCount: 'withheldLessonsDontCount',
}

/** Why there is no reward, as a sentence; null when there is one. */
export const withheldKey = (check: RewardCheck): MessageKey | null =>
  check.rewarded || check.rewardReason === null ? null : WITHHELD[check.rewardReason]

/** What the server would reward, once video and article are good; null until then. */
export function useRewardCheck(
  { video, article }: { readonly video: string; readonly article: string },
  isSending: boolean,
): RewardCheck | null {
  const isReady = Video.safeParse(video).success && articleProblem(article) === null
  return useRestingCheck(isReady ? `${video} ${article}` : '', isSending, (signal) =>
    api(lessons.checkReward, { video, article }, { signal }),
  )
}

/**
 * Asks once what it is about has rested; null without an answer. `about` is empty while there is nothing to ask.
 * What has been sent is not asked about: it may be published, and would then be told to be a repetition of itself.
 */
export function useRestingCheck(
  about: string,
  isSending: boolean,
  ask: (signal: AbortSignal) => Promise<RewardCheck>,
): RewardCheck | null {
  const [known, setKnown] = useState<RewardCheck | null>(null)
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
    }, REST)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [about])
  // An older answer stands while one types on, so that the button does not flicker.
  return about === '' ? null : known
}
