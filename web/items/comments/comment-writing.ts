import { useMemo, useRef, useState } from 'react'
import { comments, type Comment } from '#contract/comments.ts'
import { COMMENT } from '#contract/limits.ts'
import { countedLength, fits } from '#contract/measure.ts'
import { message } from '#contract/message.ts'
import type { Refusal, Writing } from '#web/items/comments/ComposeForm.tsx'
import { api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'
import { newDraftId } from '#web/core/storage/draft-id.ts'
import { useDraftOffers, useTabDraft } from '#web/core/storage/drafts.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'

export interface WritingSubject {
  readonly kind: 'reply' | 'edit'
  readonly comment: Comment
}

/**
 * Holds the comment that is being written. It is stored as a draft until it is sent, and sending the same text
 * again doesn't make a second comment.
 * @param subject the comment that is answered or edited; null for a new thread
 * @param onPosted called with the comment as the server stored it
 */
export function useCommentWriting(
  lessonId: number,
  subject: WritingSubject | null,
  onPosted: (comment: Comment) => void,
): Writing {
  const { t } = useText()
  const draftSubject =
    subject === null ? lessonId : `${lessonId}:${subject.kind}:${subject.comment.id}`
  const draft = useTabDraft<string>(`comment:${draftSubject}`)
  const { read } = draft
  const hydrated = useHydrated()
  const stored = useMemo(() => (hydrated ? (read()?.values ?? '') : ''), [hydrated, read])
  const [typed, setTyped] = useState<string | null>(null)
  const before = subject?.kind === 'edit' ? subject.comment.text : ''
  const text = typed ?? (stored === '' ? before : stored)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [busy, setBusy] = useState(false)
  // The same text is always sent with the same id, so a retry after a lost response makes no second comment.
  const attempt = useRef({ text: '', draftId: '' })
  const offers = useDraftOffers(draft, setTyped)
  const write = (next: string) => {
    setTyped(next)
    if (next.trim() === '') draft.drop()
    else draft.save(next)
  }
  const send = async () => {
    if (busy) return
    setBusy(true)
    if (attempt.current.text !== text) attempt.current = { text, draftId: newDraftId() }
    try {
      const { draftId } = attempt.current
      const comment = await (subject?.kind === 'edit'
        ? api(comments.edit, { id: subject.comment.id, text })
        : api(comments.create, {
            lessonId,
            text,
            draftId,
            ...(subject !== null && { replyTo: subject.comment.id }),
          }))
      attempt.current = { text: '', draftId: '' }
      setRefusal(null)
      setTyped('')
      draft.drop()
      onPosted(comment)
    } catch (error) {
      const words = error instanceof ApiError ? wordsOf(error) : t('somethingWrong')
      setRefusal({ text: words, number: (refusal?.number ?? 0) + 1 })
    } finally {
      setBusy(false)
    }
  }
  return {
    text,
    length: countedLength(text, COMMENT),
    max: COMMENT.max,
    wrong: fits(text, COMMENT) ? null : message('commentValMs', { ...COMMENT }),
    refusal,
    busy,
    write,
    send,
    offers,
  }
}

const wordsOf = (error: ApiError) => error.fields['text'] ?? error.message
