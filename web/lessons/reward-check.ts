import { useEffect, useEffectEvent, useState } from 'react'
import { Video } from '#contract/lesson-forms.ts'
import { lessons } from '#contract/lessons.ts'
import { ARTICLE } from '#contract/limits.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import type { RewardCheck, RewardReason } from '#contract/points.ts'
import { api } from '#web/core/api.ts'
import { isSessionLost } from '#web/core/renewal.ts'
import { articleLength } from '#web/lessons/article-length.ts'

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
export function useRewardCheck(video: string, article: string): RewardCheck | null {
  const length = articleLength(article)
  const isReady = Video.safeParse(video).success && length >= ARTICLE.min && length <= ARTICLE.max
  return useRestingCheck(isReady ? `${video} ${article}` : '', (signal) =>
    api(lessons.checkReward, { video, article }, { signal }),
  )
}

/** Asks once what it is about has rested; null without an answer. `about` is empty while there is nothing to ask. */
export function useRestingCheck(
  about: string,
  ask: (signal: AbortSignal) => Promise<RewardCheck>,
): RewardCheck | null {
  const [known, setKnown] = useState<RewardCheck | null>(null)
  const askNow = useEffectEvent(ask)
  useEffect(() => {
    if (about === '') return undefined
    const stop = new AbortController()
    const timer = setTimeout(() => {
      // Nobody is asked to sign in for a hint.
      if (isSessionLost()) return
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
