import { useMemo, useState } from 'react'
import type { Refusal, Writing } from '#web/items/comments/ComposeForm.tsx'
import { lengthOf, normalizeText } from '#contract/measure.ts'
import { ApiError } from '#web/core/api-error.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { useDraftOffers, useTabDraft } from '#web/core/storage/drafts.ts'

export interface Typed {
  readonly text: string
  /** 0 when none are chosen, and for an author's answer. */
  readonly stars: number
}

interface Asked {
  readonly draft: string
  /** The present rating or answer, which is being edited. */
  readonly before: Typed
  readonly max: number
  /** A packed message; null when it may be sent. */
  readonly judge: (typed: Typed) => string | null
  readonly send: (typed: Typed) => Promise<void>
}

interface RatingWriting extends Writing {
  readonly stars: number
  readonly choose: (stars: number) => void
}

/** Holds a rating or answer as a draft in this browser until it is sent. A refused text stays in the form. */
export function useWriting({ draft: name, before, max, judge, send }: Asked): RatingWriting {
  const { t } = useText()
  const draft = useTabDraft<Typed>(name)
  const { read } = draft
  const hydrated = useHydrated()
  // After sending, the text is stored on the server and must not be saved as a draft again.
  const [isSent, setSent] = useState(false)
  const stored = useMemo(
    () => (hydrated && !isSent ? (read()?.values ?? null) : null),
    [hydrated, isSent, read],
  )
  const [typed, setTyped] = useState<Typed | null>(null)
  const now = typed ?? stored ?? before
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [busy, setBusy] = useState(false)
  const offers = useDraftOffers(draft, (taken) => {
    setTyped(taken)
    setSent(false)
  })
  const keep = (next: Typed) => {
    setTyped(next)
    setRefusal(null)
    draft.save(next)
  }
  return {
    ...now,
    length: lengthOf(normalizeText(now.text)),
    max,
    wrong: judge(now),
    refusal,
    busy,
    write: (text) => keep({ ...now, text }),
    offers,
    choose: (stars) => keep({ ...now, stars }),
    send: async () => {
      if (busy) return
      setBusy(true)
      try {
        await send(now)
        setTyped(null)
        setSent(true)
        draft.drop()
      } catch (error) {
        const text = error instanceof ApiError ? wordsOf(error) : t('somethingWrong')
        setRefusal((old) => ({ text, number: (old?.number ?? 0) + 1 }))
      } finally {
        setBusy(false)
      }
    },
  }
}

const wordsOf = ({ fields, message: sentence }: ApiError): string =>
  fields['stars'] ?? fields['text'] ?? sentence
