/** Saves what people type but do not send, in this browser under their id, and offers it again after a reload. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useHydrated } from '#web/core/hydrated.ts'
import { currentPerson, useSession } from '#web/core/session.ts'
import {
  draftKey,
  draftsOf,
  type FoundDraft,
  listKeys,
  moveDraft,
  readDraft,
  removeDraft,
  type StoredDraft,
  storeDraft,
  writeDraft,
} from '#web/core/storage/draft-store.ts'
import { tabId } from '#web/core/storage/tab.ts'

const DELAY = 400

export interface Draft<Values> {
  /** Reads localStorage, so call it only in an effect or a handler. */
  readonly read: () => StoredDraft<Values> | null
  /** Stores the values shortly, or at once when the form unmounts or the page is left. Leave out files. */
  readonly save: (values: Values) => void
  /** Call it after the values were sent, or if the user discards them. */
  readonly drop: () => void
}

/** The draft of a form in this tab. Each tab has its own. */
export interface TabDraft<Values> extends Draft<Values> {
  /** Its key in the storage. */
  readonly key: string
  /** Stores the last values at once. */
  readonly flush: () => void
  /** The newest first. */
  readonly others: () => readonly FoundDraft<Values>[]
  /** Swaps this tab's draft for another, and returns the key of the one set aside, or null if there was none. */
  readonly take: (other: FoundDraft<Values>) => string | null
  /** Moves this tab's draft among the others. Returns its key, or null if there was none. */
  readonly putAside: () => string | null
  readonly dropOther: (other: FoundDraft<Values>) => void
}

export interface DraftOffer<Values = unknown> extends FoundDraft<Values> {
  /** Says where the draft is, if it is not in this browser. */
  readonly text?: string
  readonly onTake: () => void
  readonly onDrop: () => void
}

/** The signed-in user's draft of a form that all tabs share, such as `contact`. */
export function useDraft<Values>(form: string): Draft<Values> {
  return useStoredDraft(form, null)
}

/** The signed-in user's draft of a form in this tab, such as `lesson:new` or `comment:7`. */
export function useTabDraft<Values>(form: string): TabDraft<Values> {
  const hydrated = useHydrated()
  const person = useSession()?._id ?? 'guest'
  const tab = hydrated ? tabId() : ''
  const { read, save, drop, flush } = useStoredDraft<Values>(form, tab)
  return {
    key: draftKey(person, form, tab),
    flush,
    read,
    save,
    drop,
    others: useCallback(() => draftsOf<Values>(person, form, tab), [person, form, tab]),
    take: useCallback(
      (other) => {
        flush()
        const aside = moveDraft(draftKey(person, form, tab), person, form)
        // Removes it first, because an almost full storage has no room for both.
        removeDraft(other.key)
        storeDraft(draftKey(person, form, tab), other)
        return aside
      },
      [person, form, tab, flush],
    ),
    putAside: useCallback(() => {
      flush()
      return moveDraft(draftKey(person, form, tab), person, form)
    }, [person, form, tab, flush]),
    dropOther: useCallback(({ key }) => removeDraft(key), []),
  }
}

/** The drafts of other tabs when the form appeared. `onTake` shows the values in the form. */
export function useDraftOffers<Values>(
  draft: TabDraft<Values>,
  onTake: (values: Values) => void,
): readonly DraftOffer<Values>[] {
  const { others, take, dropOther } = draft
  const hydrated = useHydrated()
  const [round, setRound] = useState(0)
  const found = useMemo(() => (hydrated && round >= 0 ? others() : []), [hydrated, others, round])
  return found.map((other) => ({
    ...other,
    onTake: () => {
      take(other)
      onTake(other.values)
      setRound(round + 1)
    },
    onDrop: () => {
      dropOther(other)
      setRound(round + 1)
    },
  }))
}

/** `tab` is null for a draft that all tabs share. */
function useStoredDraft<Values>(
  form: string,
  tab: string | null,
): Draft<Values> & { readonly flush: () => void } {
  const person = useSession()?._id ?? 'guest'
  const key = draftKey(person, form, tab)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const pending = useRef<(() => void) | null>(null)
  /** Saves the last keystrokes when the page is left, and when an error replaces the form. */
  const flush = useCallback(() => {
    clearTimeout(timer.current)
    pending.current?.()
    pending.current = null
  }, [])
  useEffect(() => {
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [flush])
  return {
    flush,
    read: useCallback(() => readDraft<Values>(key), [key]),
    save: useCallback(
      (values) => {
        pending.current = () => {
          // The user may have signed out meanwhile.
          if ((currentPerson()?._id ?? 'guest') === person) writeDraft(key, values)
        }
        clearTimeout(timer.current)
        timer.current = setTimeout(flush, DELAY)
      },
      [key, person, flush],
    ),
    drop: useCallback(() => {
      clearTimeout(timer.current)
      pending.current = null
      removeDraft(key)
    }, [key]),
  }
}

/** Whether the person has unsent drafts or messages. The sign-out asks about them. */
export function hasDrafts(person: string): boolean {
  return [draftKey(person, '', null), `kb:${person}:chat:`].some(
    (start) => listKeys(start).length > 0,
  )
}
