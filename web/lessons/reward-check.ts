import { useEffect, useState } from 'react'
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
  const [known, setKnown] = useState<{ readonly of: string; readonly check: RewardCheck } | null>(
    null,
  )
  const length = articleLength(article)
  const isReady = Video.safeParse(video).success && length >= ARTICLE.min && length <= ARTICLE.max
  const of = isReady ? `${video} ${article}` : ''
  useEffect(() => {
    if (of === '') return undefined
    const stop = new AbortController()
    const timer = setTimeout(() => {
      // Nobody is asked to sign in for a hint.
      if (isSessionLost()) return
      api(lessons.checkReward, { video, article }, { signal: stop.signal }).then(
        (check) => setKnown({ of, check }),
        // Without an answer the form says nothing about it; the server decides when it is sent.
        () => setKnown(null),
      )
    }, REST)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [of, video, article])
  // An older answer stands while one types on, so that the button does not flicker.
  return of === '' ? null : (known?.check ?? null)
}
