import { useMemo, useRef, useState } from 'react'
import { chat } from '#contract/chat.ts'
import type { Lesson } from '#contract/lessons.ts'
import { CHAT_MESSAGE } from '#contract/limits.ts'
import { fits, lengthOf, normalizeText } from '#contract/measure.ts'
import { message } from '#contract/message.ts'
import type { Refusal, Writing } from '#web/items/comments/ComposeForm.tsx'
import { api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { useSettings } from '#web/core/settings.ts'
import { newDraftId } from '#web/core/storage/draft-id.ts'
import { useDraftOffers, useTabDraft } from '#web/core/storage/drafts.ts'
import { askedWords, roomForQuestion } from '#web/items/shared/asking/asked-words.ts'

export type AskedLesson = Pick<Lesson, 'id' | 'title' | 'owner' | 'ownerName'>

/** The last text that was sent, with the id by which the server recognizes a repeated message. */
interface Attempt {
  readonly words: string
  readonly draftId: string
}

interface StoredQuestion {
  readonly question: string
  /** Null before the first attempt. */
  readonly attempt: Attempt | null
}

/**
 * Holds a question as a draft until it is sent. Sending the same text again sends the same message, even after a
 * reload, because the first response may have been lost.
 */
export function useAsking(lesson: AskedLesson, onSent: () => void): Writing {
  const { t } = useText()
  const { origin } = useSettings()
  const { id, title, ownerName } = lesson
  const draft = useTabDraft<StoredQuestion>(`ask:${id}`)
  const { read } = draft
  const hydrated = useHydrated()
  const stored = useMemo(() => (hydrated ? (read()?.values ?? null) : null), [hydrated, read])
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? stored?.question ?? ''
  const attempt = useRef<Attempt | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [busy, setBusy] = useState(false)
  const about = t('askAbout', { title, address: `${origin}${to.lesson(id)}` })
  const max = roomForQuestion(about)

  const offers = useDraftOffers(draft, (taken) => {
    attempt.current = taken.attempt
    setTyped(taken.question)
  })
  const lastAttempt = () => attempt.current ?? stored?.attempt ?? null
  const write = (next: string) => {
    setTyped(next)
    setRefusal(null)
    if (next.trim() === '') draft.drop()
    else draft.save({ question: next, attempt: lastAttempt() })
  }
  const send = async () => {
    if (busy) return
    setBusy(true)
    const words = askedWords(text, about)
    const last = lastAttempt()
    const now = last?.words === words ? last : { words, draftId: newDraftId() }
    attempt.current = now
    draft.save({ question: text, attempt: now })
    try {
      const { draftId } = now
      await api(chat.create, { text: words, receiverUsername: ownerName, draftId })
      attempt.current = null
      setRefusal(null)
      setTyped('')
      draft.drop()
      onSent()
    } catch (error) {
      const said = error instanceof ApiError ? wordsOf(error) : t('somethingWrong')
      setRefusal((old) => ({ text: said, number: (old?.number ?? 0) + 1 }))
    } finally {
      setBusy(false)
    }
  }
  return {
    text,
    length: lengthOf(normalizeText(text)),
    max,
    wrong: fits(text, { min: CHAT_MESSAGE.min, max })
      ? null
      : message('chatMessageMs', { min: CHAT_MESSAGE.min, max }),
    refusal,
    busy,
    write,
    send,
    offers,
  }
}

const wordsOf = ({ fields, message: sentence }: ApiError): string =>
  fields['text'] ?? fields['receiverUsername'] ?? sentence
