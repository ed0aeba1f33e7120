/** The note being written is stored as a draft until it is sent. */
import { useMemo, useRef, useState } from 'react'
import { NOTE } from '#contract/limits.ts'
import { fits, lengthOf, normalizeText } from '#contract/measure.ts'
import { message } from '#contract/message.ts'
import { notes, type Note } from '#contract/notes.ts'
import type { Refusal, Writing } from '#web/items/comments/ComposeForm.tsx'
import { api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { newDraftId } from '#web/core/storage/draft-id.ts'
import { useDraftOffers, useTabDraft } from '#web/core/storage/drafts.ts'
import { usePlaceNow } from '#web/core/video-times/VideoTimes.tsx'

interface Typed {
  readonly text: string
  /** The video's position at the first letter. Null if it was not played, or the user removed it. */
  readonly second: number | null
}

const NOTHING: Typed = { text: '', second: null }

interface NoteWriting extends Writing {
  readonly second: number | null
  readonly dropSecond: () => void
}

/**
 * A retry with the same text does not create a second note, even if the first answer was lost. `begins` is the second
 * of the line that the user begins a new note at, or null.
 */
export function useNoteWriting(
  lesson: number,
  note: Note | null,
  begins: number | null,
  onSaved: (note: Note) => void,
): NoteWriting {
  const { t } = useText()
  const placeNow = usePlaceNow()
  const draft = useTabDraft<Typed>(note === null ? `note:${lesson}` : `note:${lesson}:${note.id}`)
  const { read } = draft
  const hydrated = useHydrated()
  const kept = useMemo(() => (hydrated ? (read()?.values ?? null) : null), [hydrated, read])
  const [typed, setTyped] = useState<Typed | null>(null)
  const before =
    note === null ? { text: '', second: begins } : { text: note.text, second: note.second }
  const now =
    typed ?? (kept === null || begins === null ? kept : { ...kept, second: begins }) ?? before
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [busy, setBusy] = useState(false)
  const attempt = useRef({ text: '', draftId: '' })

  const offers = useDraftOffers(draft, setTyped)

  const keep = (next: Typed) => {
    setTyped(next)
    setRefusal(null)
    if (next.text.trim() === '') draft.drop()
    else draft.save(next)
  }
  const write = (words: string) => {
    const isBegun = now.text === '' && note === null
    keep({ text: words, second: isBegun ? (now.second ?? placeNow?.() ?? null) : now.second })
  }
  const send = async () => {
    if (busy) return
    setBusy(true)
    const { text: words, second } = now
    if (attempt.current.text !== words) attempt.current = { text: words, draftId: newDraftId() }
    try {
      const { draftId } = attempt.current
      const saved = await (note === null
        ? api(notes.create, {
            lessonId: lesson,
            text: words,
            draftId,
            ...(second !== null && { second }),
          })
        : api(notes.edit, { id: note.id, text: words }))
      attempt.current = { text: '', draftId: '' }
      setRefusal(null)
      setTyped(NOTHING)
      draft.drop()
      onSaved(saved)
    } catch (error) {
      const reason = error instanceof ApiError ? wordsOf(error) : t('somethingWrong')
      setRefusal((old) => ({ text: reason, number: (old?.number ?? 0) + 1 }))
    } finally {
      setBusy(false)
    }
  }
  return {
    text: now.text,
    length: lengthOf(normalizeText(now.text)),
    max: NOTE.max,
    wrong: fits(now.text, NOTE) ? null : message('noteValMs', { ...NOTE }),
    refusal,
    offers,
    busy,
    write,
    send,
    second: now.second,
    dropSecond: () => keep({ ...now, second: null }),
  }
}

const wordsOf = ({ fields, message: sentence }: ApiError): string => fields['text'] ?? sentence
